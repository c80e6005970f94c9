// Which team the whole dashboard speaks for. Whoever runs the service chooses among all of them; for others it is a name.
import { useId } from 'preact/hooks'
import { actFor, call } from './call.ts'
import { useLoaded } from './loading.ts'
import { self, session } from './session.ts'
import type { Team } from './wire.ts'

export function TeamSwitch() {
  const own = self.value ?? session.value
  if (!own?.mayActForOthers)
    return (
      <span>
        Team <strong>{session.value?.team}</strong>
      </span>
    )
  return <Choice ownId={own.teamId} />
}

function Choice({ ownId }: { ownId: string | undefined }) {
  const id = useId()
  const now = session.value
  const { value } = useLoaded((signal) => call<{ data: Team[] }>({ path: '/v2/admin/teams', signal, own: true }), [])
  const teams = value?.data ?? [{ id: now?.teamId ?? '', name: now?.team ?? '' }]
  return (
    <span class="team-switch">
      <label for={id}>Team</label>
      <select
        id={id}
        value={now?.teamId}
        onChange={({ currentTarget: { value: chosen } }) => actFor(chosen === ownId ? undefined : chosen)}
      >
        {teams.map((team) => (
          <option key={team.id} value={team.id} selected={team.id === now?.teamId}>
            {team.name}
            {team.id === ownId ? ' (yours)' : ''}
          </option>
        ))}
      </select>
    </span>
  )
}
