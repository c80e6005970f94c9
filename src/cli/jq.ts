// `--jq`: the real jq, compiled to WebAssembly, which is loaded only when a filter is given.
import { UsageError } from './command.ts'
import type { CommandFlag } from './flags.ts'

export const JQ_FLAG: CommandFlag = {
  name: 'jq',
  value: 'filter',
  help: 'Print what a jq filter selects from the JSON; texts without quotes.',
}

export type Filter = (json: string) => Promise<string>

/** Reads the filter before anything is sent: a typing error costs no request. */
export async function readJqFilter(own: Readonly<Record<string, unknown>>): Promise<Filter | undefined> {
  const { jq: filter } = own
  if (typeof filter !== 'string') return undefined
  const { raw } = await import('jq-wasm')
  const run = async (json: string, mayFail: (text: string) => boolean) => {
    try {
      return await raw(json, filter, ['-r'])
    } catch (error) {
      const text = String((error as Error).message)
      if (mayFail(text)) return ''
      throw new UsageError(`--jq: ${text.trim()}`)
    }
  }
  await run('null', (text) => text.startsWith('jq: error (at'))
  return (json) => run(json, () => false)
}
