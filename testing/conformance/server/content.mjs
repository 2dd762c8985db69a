// What tools, prompts and resources of the suite are made of.
import { inputRequired } from '@modelcontextprotocol/server';

export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
export const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
export const image = { type: 'image', data: PNG, mimeType: 'image/png' };
export const text = (s) => ({ content: [{ type: 'text', text: s }] });
export const user = (content) => ({ role: 'user', content });
export const string = { type: 'string' };

/** A question to the person, with a form of these fields. */
export const form = (message, properties, required = Object.keys(properties)) =>
  inputRequired.elicit({ message, requestedSchema: { type: 'object', properties, required } });

/** A question to the model. */
export const sample = (prompt, maxTokens = 100) =>
  inputRequired.createMessage({ messages: [user({ type: 'text', text: prompt })], maxTokens });
