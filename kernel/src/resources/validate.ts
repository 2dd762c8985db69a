/** JSON Schema (draft 2020-12) as the whole product uses it: formats, defaults filled in, messages with a JSON pointer and no values. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';
import { CofferError, type ErrorCode } from '../errors.js';
import type { JsonSchema } from '../json.js';

// CommonJS default export seen through nodenext.
const addFormats = formatsPlugin as unknown as (ajv: Ajv2020) => void;

function create(coerceTypes: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    useDefaults: true,
    discriminator: true,
    strict: false,
    coerceTypes,
    // The meta-schema is asked by schemaFault, where there is time for it.
    meta: false,
    validateSchema: false,
  });
  addFormats(ajv);
  return ajv;
}

let bodies: Ajv2020 | undefined;
let queries: Ajv2020 | undefined;

/** Compiles a schema; throws for one that is no schema. `query`: text is turned into the declared types. */
export function compile(schema: JsonSchema, use: 'value' | 'query' = 'value'): ValidateFunction {
  const ajv = use === 'query' ? (queries ??= create(true)) : (bodies ??= create(false));
  // By content, not by $id: two plugins may ship schemas of the same id.
  const { $id: _dropped, $schema: _draft, ...rest } = schema as { $id?: string; $schema?: string };
  return ajv.compile(rest);
}

let meta: Ajv2020 | undefined;

/** What the meta-schema of draft 2020-12 says against a schema; undefined when nothing. */
export function schemaFault(schema: JsonSchema): string | undefined {
  meta ??= new Ajv2020({ strict: false });
  // A schema that names another draft is taken as 2020-12, as compile() does.
  const { $schema: _draft, ...rest } = schema as { $schema?: string };
  return meta.validateSchema(rest) === true ? undefined : meta.errorsText(meta.errors, { dataVar: '' });
}

/** Checks a value and fills in defaults in place. Throws with every problem, each with its place and never with the value. */
export function check(validate: ValidateFunction, value: unknown, code: ErrorCode, what: string): void {
  if (validate(value)) return;
  const problems = explain(validate.errors ?? []);
  throw new CofferError(
    code,
    `${what} is not valid: ${problems.map((p) => `${p.pointer || '/'} ${p.message}`).join('; ')}.`,
    { problems },
  );
}

export interface Problem {
  /** JSON pointer to the place. */
  pointer: string;
  message: string;
}

function explain(errors: readonly ErrorObject[]): Problem[] {
  const problems = errors.map(({ instancePath, keyword, message, params }): Problem => {
    const p = params as Record<string, unknown>;
    switch (keyword) {
      case 'required':
        return { pointer: `${instancePath}/${String(p['missingProperty'])}`, message: 'is missing' };
      case 'additionalProperties':
      case 'unevaluatedProperties':
        return {
          pointer: instancePath,
          message: `has a field it does not know: ${String(p['additionalProperty'] ?? p['unevaluatedProperty']).slice(0, 64)}`,
        };
      case 'enum':
        return { pointer: instancePath, message: `must be one of ${JSON.stringify(p['allowedValues'])}` };
      case 'discriminator':
        return { pointer: `${instancePath}/${String(p['tag'])}`, message: 'is missing or names no known type' };
      default:
        return { pointer: instancePath, message: message ?? 'is not valid' };
    }
  });
  // A failed oneOf repeats what its branches said.
  const telling = problems.filter(
    (p, i) =>
      !/oneOf|anyOf|if"/.test(p.message) &&
      problems.findIndex((q) => q.pointer === p.pointer && q.message === p.message) === i,
  );
  return telling.length > 0 ? telling : problems;
}
