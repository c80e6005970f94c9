// Who answered a search and who did not, and how every provider fares: those that are left alone with the reason and until
// when.
import { call } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { Card } from '../parts/card.tsx'
import { Badge, Failure } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { ago, duration, plural } from '../words.ts'
import type { Asked, Provider } from './wire.ts'

const KINDS: Readonly<Record<Asked['state'], 'good' | 'warn' | 'bad' | undefined>> = {
  answered: 'good',
  empty: undefined,
  late: 'warn',
  suspended: 'warn',
  failed: 'bad',
}
const WORDS: Readonly<Record<Asked['state'], string>> = {
  answered: 'responded',
  empty: 'no results',
  late: 'too late',
  suspended: 'paused',
  failed: 'failed',
}
const nameOf = (name: string): string => (name === 'index' ? 'Pages fetched here' : name)

export const AskedList = ({ asked }: { asked: readonly Asked[] }) => (
  <Card title="Searched providers">
    <ul class="asked">
      {asked.map(({ name, state, hits, ms, because }) => (
        <li key={name}>
          <span class="row">
            <strong>{nameOf(name)}</strong>
            <Badge kind={KINDS[state]}>{WORDS[state]}</Badge>
            <span class="small faint number">
              {plural(hits, 'hit')}, {duration(ms)}
            </span>
          </span>
          {because && <span class="small soft break">{because}</span>}
        </li>
      ))}
    </ul>
  </Card>
)

const columns: readonly Column<Provider>[] = [
  { head: 'Provider', cell: ({ name }) => <strong>{name}</strong> },
  {
    head: 'State',
    cell: ({ state, until }) =>
      state === 'ready' ? (
        <Badge kind="good">ready</Badge>
      ) : (
        <span class="row">
          <Badge kind="warn">paused</Badge>
          {until && <span class="small faint">retry {ago(until)}</span>}
        </span>
      ),
  },
  { head: 'Requests', kind: 'number', cell: ({ asked }) => asked },
  { head: 'Responses', kind: 'number', cell: ({ answered }) => answered },
  { head: 'Failed', kind: 'number', cell: ({ failed }) => failed },
  { head: 'Why', kind: 'text', cell: ({ because }) => because && <span class="small soft">{because}</span> },
]

/** `turn` changes with every search: then they have been asked again. */
export function Providers({ turn }: { turn: number }) {
  const { value, error, again } = useLoaded(
    (signal) => call<{ data: Provider[] }>({ path: '/v2/search/providers', signal }),
    [turn],
  )
  return (
    <Card title="Providers of the open web">
      {error && <Failure error={error} onAgain={again} />}
      {(value || !error) && (
        <Table
          label="Search providers"
          columns={columns}
          rows={value?.data}
          id={({ name }) => name}
          empty="No provider is configured: only pages that were fetched here are searched."
        />
      )}
    </Card>
  )
}
