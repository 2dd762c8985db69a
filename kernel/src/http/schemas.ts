/** Small pieces of JSON Schema that routes share. */
import type { JsonSchema } from '../json.js';

export const text: JsonSchema = { type: 'string' };
export const nullableText: JsonSchema = { type: ['string', 'null'] };
export const integer: JsonSchema = { type: 'integer' };
export const flag: JsonSchema = { type: 'boolean' };
export const anyObject: JsonSchema = { type: 'object' };
export const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
/** Every named property required, nothing else said. */
export const object = (properties: Record<string, JsonSchema>, optional: readonly string[] = []): JsonSchema => ({
  type: 'object',
  required: Object.keys(properties).filter((k) => !optional.includes(k)),
  properties,
});
/** As {@link object}, for what comes in: an unknown field is an error. */
export const strict = (properties: Record<string, JsonSchema>, optional: readonly string[] = []): JsonSchema => ({
  ...object(properties, optional),
  additionalProperties: false,
});
/** Query of a log: newest first, at most 500 rows a page. */
export const paged = (properties: Record<string, JsonSchema>): JsonSchema =>
  strict(
    {
      ...properties,
      since: { type: 'string', format: 'date-time' },
      limit: { type: 'integer', minimum: 1, maximum: 500, default: 50 },
      cursor: { type: 'integer', minimum: 1 },
    },
    [...Object.keys(properties), 'since', 'limit', 'cursor'],
  );
