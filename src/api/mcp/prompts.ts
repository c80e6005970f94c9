// Prompts that a person picks in a client: common work, written out for the model with the tools it needs.
import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server'

interface PromptDefinition {
  description: string
  arguments: Readonly<Record<string, string>>
  text(given: Readonly<Record<string, string>>): string
}

const DEFINITIONS: Readonly<Record<string, PromptDefinition>> = {
  research: {
    description: 'Answer a question from several sites, with sources',
    arguments: { question: 'What to find out' },
    text: ({ question }) =>
      `Answer this question from the web: ${question}\n\nUse search to find pages, scrape to read those that matter, or agent for ` +
      'questions over many pages. Give the URL beside each fact. State what no page answers instead of guessing.',
  },
  extract: {
    description: 'Read the same fields from one page or a whole site',
    arguments: { url: 'A page or a site', fields: 'The fields, such as: name, price, in stock' },
    text: ({ url, fields }) =>
      `Read these fields from ${url}: ${fields}\n\nOne page: scrape with the json format and a schema of these fields. A site: map it, then ` +
      'batch with the same format. Return a table, and leave fields empty that a page does not have.',
  },
  watch: {
    description: 'Report when a page changes in a way that matters',
    arguments: { url: 'The page', what: 'Which change matters' },
    text: ({ url, what }) =>
      `Watch ${url} and report when this changes: ${what}\n\nUse monitor_create with this as its goal, run one check, and explain what it saw ` +
      'and when the next check runs.',
  },
}

const MAX_ARGUMENT_CHARS = 2000

export const PROMPTS: Prompt[] = Object.entries(DEFINITIONS).map(([name, { description, arguments: inputs }]) => ({
  name,
  description,
  arguments: Object.entries(inputs).map(([input, text]) => ({ name: input, description: text, required: true })),
}))

/** A string says what is wrong. */
export function getPrompt(name: string, given: Readonly<Record<string, string>>): GetPromptResult | string {
  const definition = Object.hasOwn(DEFINITIONS, name) ? DEFINITIONS[name] : undefined
  if (!definition) return `There is no prompt ${name.slice(0, 100)}; prompts/list has them.`
  const missing = Object.keys(definition.arguments).find((input) => !given[input])
  if (missing !== undefined)
    return `${missing}: is missing; ${name} takes ${Object.keys(definition.arguments).join(', ')}`
  const long = Object.keys(definition.arguments).find((input) => (given[input] ?? '').length > MAX_ARGUMENT_CHARS)
  if (long !== undefined) return `${long}: may have ${MAX_ARGUMENT_CHARS} characters`
  return {
    description: definition.description,
    messages: [{ role: 'user', content: { type: 'text', text: definition.text(given) } }],
  }
}
