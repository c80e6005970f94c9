// What a monitor watches and when: its name, addresses, schedule, goal and webhook, which can be changed.
import { useState } from 'preact/hooks'
import { call } from '../call.ts'
import { Failure } from '../parts/states.tsx'
import type { Monitor } from './monitor-wire.ts'
import { SCHEDULES } from './suggest-schedule.ts'

interface PageTarget {
  type: string
  urls?: string[]
}

/** Only a list of pages is edited here; crawls, searches and flows keep their options. */
function urlsOf({ targets }: Monitor): string[] | undefined {
  const [target, ...others] = targets as PageTarget[]
  return others.length === 0 && target?.type === 'scrape' ? target.urls : undefined
}

export function MonitorSettings({ monitor, onSaved }: { monitor: Monitor; onSaved(): void }) {
  const urls = urlsOf(monitor)
  const hook = (monitor.webhook as { url?: string } | null)?.url ?? ''
  const before = { name: monitor.name, pages: (urls ?? []).join('\n'), schedule: '', goal: monitor.goal ?? '', hook }
  const [form, setForm] = useState(before)
  const [wrong, setWrong] = useState<Error>()
  const [isSaved, setSaved] = useState(false)
  const write = (name: keyof typeof before) => (event: { currentTarget: { value: string } }) => {
    setSaved(false)
    setForm({ ...form, [name]: event.currentTarget.value })
  }
  const isChanged = (name: keyof typeof before) => form[name].trim() !== before[name].trim()
  const body = {
    ...(isChanged('name') ? { name: form.name.trim() } : {}),
    ...(isChanged('pages')
      ? { targets: [{ ...monitor.targets[0], urls: form.pages.split(/\s+/).filter(Boolean) }] }
      : {}),
    ...(isChanged('schedule') ? { schedule: { text: form.schedule, timezone: monitor.schedule.timezone } } : {}),
    ...(isChanged('goal') ? { goal: form.goal.trim() || null } : {}),
    ...(isChanged('hook') ? { webhook: form.hook.trim() ? { ...monitor.webhook, url: form.hook.trim() } : null } : {}),
  }
  const save = async () => {
    setWrong(undefined)
    try {
      await call({ method: 'PATCH', path: `/v2/monitor/${monitor.id}`, body })
      setSaved(true)
      setForm({ ...form, schedule: '' })
      onSaved()
    } catch (error) {
      setWrong(error as Error)
    }
  }
  return (
    <details class="card">
      <summary class="card-head">
        <h2>Settings</h2>
      </summary>
      <form
        class="card-body stack"
        aria-label="Settings"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <div class="row">
          <label class="field grow">
            Name
            <input required maxLength={256} value={form.name} onInput={write('name')} />
          </label>
          <label class="field">
            Check ({monitor.scheduleInWords})
            <select value={form.schedule} onChange={write('schedule')}>
              <option value="">unchanged</option>
              {SCHEDULES.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </label>
        </div>
        {urls && (
          <label class="field">
            URLs, one per line
            <textarea required rows={Math.min(8, urls.length + 1)} value={form.pages} onInput={write('pages')} />
          </label>
        )}
        <label class="field">
          Which changes matter? (optional)
          <input maxLength={2000} value={form.goal} onInput={write('goal')} />
        </label>
        <label class="field">
          Webhook (optional)
          <input inputMode="url" value={form.hook} onInput={write('hook')} />
        </label>
        {wrong && <Failure error={wrong} />}
        <div class="row">
          <button type="submit" class="button slim" disabled={Object.keys(body).length === 0}>
            Save settings
          </button>
          {isSaved && <span role="status">Saved.</span>}
        </div>
      </form>
    </details>
  )
}
