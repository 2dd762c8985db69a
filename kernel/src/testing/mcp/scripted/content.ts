import type { Obj } from '../../../json.js';

/** One pixel. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** A header and no samples. */
export const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';

export const ICON = { src: `data:image/png;base64,${PNG}`, mimeType: 'image/png', sizes: ['48x48'], theme: 'dark' };
export const IMAGE = { type: 'image', data: PNG, mimeType: 'image/png' };
export const AUDIO = { type: 'audio', data: WAV, mimeType: 'audio/wav' };

export const NO_ARGUMENTS = { type: 'object', properties: {} };

export function text(value: unknown): Obj {
  return { content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }] };
}

export function embedded(uri: string, mimeType: string, body: string): Obj {
  return { type: 'resource', resource: { uri, mimeType, text: body } };
}

export function object(properties: Obj, required: string[] = []): Obj {
  return { type: 'object', properties, required };
}
