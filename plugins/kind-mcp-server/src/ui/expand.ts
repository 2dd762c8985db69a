/** Of each operator of RFC 6570: what it begins with, what stands between values, whether names are written, whether `/` and its like stay. */
const OPERATORS: Readonly<Record<string, { first: string; between: string; named: boolean; open: boolean }>> = {
  '': { first: '', between: ',', named: false, open: false },
  '+': { first: '', between: ',', named: false, open: true },
  '#': { first: '#', between: ',', named: false, open: true },
  '.': { first: '.', between: '.', named: false, open: false },
  '/': { first: '/', between: '/', named: false, open: false },
  ';': { first: ';', between: ';', named: true, open: false },
  '?': { first: '?', between: '&', named: true, open: false },
  '&': { first: '&', between: '&', named: true, open: false },
};
const EXPRESSION = /\{([+#./;?&]?)([^{}]+)\}/g;

const namesOf = (list: string): string[] => list.split(',').map((name) => name.replace(/\*$|:\d+$/, '').trim());

/** The names that a URI template asks for, each once, in their order. */
export function variablesOf(template: string): string[] {
  return [...new Set([...template.matchAll(EXPRESSION)].flatMap(([, , list = '']) => namesOf(list)))];
}

/** The URI that a template makes of texts (RFC 6570, levels 1 to 3); what has no value is left out with all that belongs to it. */
export function expand(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(EXPRESSION, (_, sign: string, list: string) => {
    const { first, between, named, open } = OPERATORS[sign] ?? { first: '', between: ',', named: false, open: false };
    const parts = namesOf(list).flatMap((name) => {
      const value = values[name];
      if (value === undefined) return [];
      const text = open ? encodeURI(value) : encodeURIComponent(value);
      return [named ? `${name}${text === '' && sign === ';' ? '' : `=${text}`}` : text];
    });
    return parts.length === 0 ? '' : first + parts.join(between);
  });
}
