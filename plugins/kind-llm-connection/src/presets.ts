import type { Protocol, Wire } from './config.js';

/** A well-known endpoint, so that a person only brings the key. */
export interface Preset {
  id: string;
  label: string;
  protocol: Protocol;
  base_url: string;
  wire_api?: Wire;
  /** Where keys are made. */
  keys_at?: string;
}

/** Addresses as their makers document them. */
export const PRESETS: readonly Preset[] = [
  {
    id: 'anthropic',
    label: 'Anthropic',
    protocol: 'anthropic',
    base_url: 'https://api.anthropic.com',
    keys_at: 'https://console.anthropic.com/settings/keys',
  },
  {
    id: 'openai',
    label: 'OpenAI',
    protocol: 'openai',
    base_url: 'https://api.openai.com/v1',
    wire_api: 'responses',
    keys_at: 'https://platform.openai.com/api-keys',
  },
  {
    id: 'gemini',
    label: 'Google Gemini',
    protocol: 'openai',
    base_url: 'https://generativelanguage.googleapis.com/v1beta/openai',
    wire_api: 'chat',
    keys_at: 'https://aistudio.google.com/apikey',
  },
  {
    id: 'deepseek',
    label: 'DeepSeek',
    protocol: 'anthropic',
    base_url: 'https://api.deepseek.com/anthropic',
    keys_at: 'https://platform.deepseek.com/api_keys',
  },
  {
    id: 'moonshot',
    label: 'Moonshot',
    protocol: 'anthropic',
    base_url: 'https://api.moonshot.ai/anthropic',
    keys_at: 'https://platform.moonshot.ai/console/api-keys',
  },
  {
    id: 'openrouter',
    label: 'OpenRouter',
    protocol: 'openai',
    base_url: 'https://openrouter.ai/api/v1',
    wire_api: 'chat',
    keys_at: 'https://openrouter.ai/settings/keys',
  },
  { id: 'ollama', label: 'Ollama', protocol: 'ollama', base_url: 'http://localhost:11434' },
];
