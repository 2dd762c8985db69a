/** The address of an agent, or of a part of it. */
export const at = (agent: string, ...more: string[]): string =>
  `/agents/${[agent, ...more].map(encodeURIComponent).join('/')}`;
