/**
 * Replaces `${VAR}`, `${VAR:-default}` and `${env:VAR}` in a value of a client's configuration. What is not set and has no
 * default stays as it is and is told of.
 */
export function expand(
  value: string,
  variables: Readonly<Record<string, string>>,
  unset: (name: string) => void,
): string {
  return value.replace(
    /\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}/g,
    (whole, name: string, fallback: string | undefined) => {
      const known = Object.hasOwn(variables, name) ? variables[name] : undefined;
      if (known !== undefined && (known !== '' || fallback === undefined)) return known;
      if (fallback !== undefined) return fallback;
      unset(name);
      return whole;
    },
  );
}
