/** Checks a form in the page. AJV compiles to code, which the page's policy forbids, so the page asks an interpreter; the server's AJV has the last word. */
import type { Schema } from './core/types.js';
import { t } from './core/i18n.js';

type Unit = { keyword: string; instanceLocation: string; error: string };

/** Messages by JSON pointer. The interpreter is fetched with the first form. */
export async function faults(schema: Schema, value: unknown): Promise<Map<string, string>> {
  const { Validator } = await import('@cfworker/json-schema');
  const out = new Map<string, string>();
  let errors: Unit[];
  try {
    // The library's own type of a schema is narrower than what people write.
    errors = new Validator(schema as object, '2020-12', false).validate(value ?? {}).errors;
  } catch {
    // A schema that it cannot read is left to the server.
    return out;
  }
  for (const e of errors) {
    const missing = e.keyword === 'required' ? /"([^"]+)"/.exec(e.error)?.[1] : undefined;
    const at = e.instanceLocation.slice(1) + (missing === undefined ? '' : `/${missing}`);
    const text = worded(e);
    if (text !== undefined) out.set(at, text);
  }
  return out;
}

function worded(e: Unit): string | undefined {
  switch (e.keyword) {
    case 'required':
      return t('This is needed.');
    case 'type':
      return t('This is of the wrong type.');
    case 'enum':
      return t('Choose one of the list.');
    case 'pattern':
    case 'format':
      return t('This does not have the form it needs.');
    case 'minLength':
    case 'minItems':
      return t('This is too short.');
    case 'maxLength':
    case 'maxItems':
      return t('This is too long.');
    case 'minimum':
    case 'maximum':
      return t('This is outside what is allowed.');
    default:
      // Applicators only repeat what their inner parts say.
      return undefined;
  }
}
