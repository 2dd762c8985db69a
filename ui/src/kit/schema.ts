/** Reading of JSON Schemas for forms: what a node is, under the many ways of writing it. */
import type { Schema } from './core/types.js';

export type Shape =
  | { is: 'const' }
  | { is: 'text'; long: boolean }
  | { is: 'number'; whole: boolean }
  | { is: 'flag' }
  | { is: 'choice'; options: readonly (string | number)[] }
  | { is: 'object'; properties: readonly [string, Schema][] }
  | { is: 'map'; of: Schema }
  | { is: 'list'; of: Schema }
  | { is: 'branches'; key: string; branches: readonly Schema[] }
  | { is: 'credential' }
  | { is: 'json' };

/** Follows references inside the schema and takes `T or null` for an optional T. */
export function resolve(schema: Schema, root: Schema, depth = 0): Schema {
  const ref = schema['$ref'];
  if (typeof ref === 'string' && ref.startsWith('#/') && depth < 20) {
    let at: unknown = root;
    for (const key of ref.slice(2).split('/')) at = (at as Record<string, unknown> | undefined)?.[key];
    const { $ref: _dropped, ...rest } = schema;
    return resolve({ ...(at as Schema), ...rest }, root, depth + 1);
  }
  const union = schema.anyOf ?? (discriminator(schema) === undefined ? schema.oneOf : undefined);
  const real = union?.filter((s) => s.type !== 'null');
  if (union !== undefined && real?.length === 1 && real[0] !== undefined && depth < 20) {
    const { anyOf: _a, oneOf: _o, ...rest } = schema;
    return resolve({ ...real[0], ...rest }, root, depth + 1);
  }
  return schema;
}

/** The property that tells the branches of a `oneOf` apart: a different constant in each. */
export function discriminator(schema: Schema): string | undefined {
  const branches = schema.oneOf ?? schema.anyOf;
  const first = branches?.[0]?.properties;
  if (branches === undefined || branches.length < 2 || first === undefined) return undefined;
  return Object.keys(first).find((key) => branches.every((b) => b.properties?.[key]?.const !== undefined));
}

export function shapeOf(schema: Schema): Shape {
  if (schema['x-coffer']?.widget === 'credential-ref') return { is: 'credential' };
  if (schema.const !== undefined) return { is: 'const' };
  if (schema.enum?.every((v) => typeof v === 'string' || typeof v === 'number') === true)
    return { is: 'choice', options: schema.enum };
  const key = discriminator(schema);
  if (key !== undefined) return { is: 'branches', key, branches: schema.oneOf ?? schema.anyOf ?? [] };
  const types = [schema.type ?? []].flat().filter((x) => x !== 'null');
  if (types.length > 1) return { is: 'json' };
  switch (types[0] ?? (schema.properties === undefined ? '' : 'object')) {
    case 'string':
      return { is: 'text', long: schema['contentMediaType'] !== undefined || schema.format === 'multiline' };
    case 'number':
      return { is: 'number', whole: false };
    case 'integer':
      return { is: 'number', whole: true };
    case 'boolean':
      return { is: 'flag' };
    case 'object':
      if (schema.properties !== undefined) return { is: 'object', properties: Object.entries(schema.properties) };
      return typeof schema.additionalProperties === 'object'
        ? { is: 'map', of: schema.additionalProperties }
        : { is: 'json' };
    case 'array':
      return schema.items === undefined ? { is: 'json' } : { is: 'list', of: schema.items };
    default:
      return { is: 'json' };
  }
}

/** What a new value of a schema starts with: what must be there, and nothing that has a default. */
export function seed(schema: Schema, root: Schema, depth = 0): unknown {
  const s = resolve(schema, root);
  const shape = shapeOf(s);
  if (s.const !== undefined) return s.const;
  if (depth > 6) return undefined;
  if (shape.is === 'branches') return seed(shape.branches[0] ?? {}, root, depth + 1);
  if (shape.is === 'object') {
    const must = shape.properties.filter(([key]) => s.required?.includes(key) === true);
    const made = must.map(([key, inner]) => [key, seed(inner, root, depth + 1)] as const);
    return Object.fromEntries(made.filter(([, v]) => v !== undefined));
  }
  return undefined;
}

/**
 * A value whose branches all say which branch they are: a form shows the first branch where none is named yet, so what is typed there
 * is of that one.
 */
export function tagged(schema: Schema, root: Schema, value: unknown): unknown {
  const s = resolve(schema, root);
  const shape = shapeOf(s);
  if (Array.isArray(value)) return shape.is === 'list' ? value.map((v) => tagged(shape.of, root, v)) : value;
  if (typeof value !== 'object' || value === null) return value;
  const each = (of: (key: string) => Schema | undefined): unknown =>
    Object.fromEntries(
      Object.entries(value).map(([key, v]) => {
        const inner = of(key);
        return [key, inner === undefined ? v : tagged(inner, root, v)];
      }),
    );
  if (shape.is === 'object') return each((key) => s.properties?.[key]);
  if (shape.is === 'map') return each(() => shape.of);
  if (shape.is !== 'branches') return value;
  const { key, branches } = shape;
  const tagOf = (b: Schema | undefined): unknown => b?.properties?.[key]?.const;
  const full: Readonly<Record<string, unknown>> = key in value ? { ...value } : { [key]: tagOf(branches[0]), ...value };
  const chosen = branches.find((b) => tagOf(b) === full[key]);
  return chosen === undefined ? full : tagged(chosen, root, full);
}
