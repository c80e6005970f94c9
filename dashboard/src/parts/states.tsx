// What a screen shows when there is nothing to show yet, nothing at all, or something went wrong: and what to do then.
import type { ComponentChildren } from 'preact'
import { Refused } from '../call.ts'
import { type IconName, Picture } from './icons.tsx'
import { WithCode } from './with-code.tsx'

export const Loading = ({ what = 'Loading' }: { what?: string }) => (
  <div class="loading" role="status">
    <span class="spinner" aria-hidden="true" />
    {what} …
  </div>
)

export const Empty = ({ icon, title, children }: { icon: IconName; title: string; children?: ComponentChildren }) => (
  <div class="empty">
    <Picture name={icon} size={36} />
    <h2>{title}</h2>
    {children}
  </div>
)

export const Notice = ({
  kind,
  children,
}: {
  kind: 'good' | 'warn' | 'bad' | 'plain'
  children: ComponentChildren
}) => (
  <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
    {children}
  </div>
)

/** What the service said, and what a person can do about it. */
export function Failure({ error, onAgain }: { error: Error; onAgain?: (() => void) | undefined }) {
  const advice = error instanceof Refused ? adviceFor(error) : undefined
  return (
    <Notice kind="bad">
      <strong>{error instanceof Refused ? titleOf(error) : 'The request failed'}</strong>
      <span class="break">
        <WithCode text={error.message} />
      </span>
      {advice && (
        <span class="small soft">
          <WithCode text={advice} />
        </span>
      )}
      {error instanceof Refused && error.help && (
        <a class="small" href={error.help} target="_blank" rel="noopener">
          What this error means
        </a>
      )}
      {onAgain && (
        <span>
          <button type="button" class="button slim" onClick={onAgain}>
            Try again
          </button>
        </span>
      )}
    </Notice>
  )
}

/** Who is to blame, before the reason: the call, the site or the service. */
function titleOf({ status, code = '' }: Refused): string {
  if (status === 0) return 'The service does not respond'
  if (code === 'SCRAPE_DNS_RESOLUTION_ERROR') return 'No site was found at this URL'
  if (code === 'SCRAPE_SSL_ERROR') return 'A secure connection to the site failed'
  if (/SITE_ERROR|ENGINES/.test(code)) return 'The site did not return the page'
  if (code === 'SCRAPE_TIMEOUT' || status === 408) return 'The request timed out'
  if (status === 429) return 'Too many requests'
  if (status >= 500) return `The request failed (${status})`
  return `Refused (${status})`
}

function adviceFor({ status, code }: Refused): string | undefined {
  if (status === 0) return 'Start it with `npm start`, then try again.'
  if (status === 401) return 'Sign in again: the key may have been revoked or the session has ended.'
  if (status === 402) return 'The team has used up its credits. A team manager can grant more.'
  if (code === 'UNSUPPORTED_SITE') return 'Private addresses can be visited only if `ORB_ALLOW_PRIVATE` lists them.'
  if (code === 'SCRAPE_TIMEOUT') return 'Increase the option `timeout`, or try `fastMode`.'
  if (code === 'SCRAPE_DNS_RESOLUTION_ERROR') return 'Check the spelling of the URL.'
  if (status === 429) return 'The plan’s limit is reached; wait a moment and try again.'
  return undefined
}

export const Badge = ({
  kind,
  children,
}: {
  kind?: 'good' | 'warn' | 'bad' | 'live' | undefined
  children: ComponentChildren
}) => <span class={`badge ${kind ?? ''}`}>{children}</span>

export const PageHead = ({
  title,
  children,
  actions,
}: {
  title: string
  children?: ComponentChildren
  actions?: ComponentChildren
}) => (
  <div class="page-head">
    <div>
      <h1>{title}</h1>
      {children && <p>{children}</p>}
    </div>
    {actions && <div class="row">{actions}</div>}
  </div>
)
