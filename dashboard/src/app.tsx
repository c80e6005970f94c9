// The frame of the dashboard: who is signed in, where we are, and the way to everywhere else.

import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { actFor, root } from './call.ts'
import { Mark, Picture } from './parts/icons.tsx'
import { Failure, Loading } from './parts/states.tsx'
import { place } from './route.ts'
import { CliAuth } from './screens/cli-auth.tsx'
import { GROUPS, screenAt, screens } from './screens/index.ts'
import { OauthConsent } from './screens/oauth-consent.tsx'
import { SignIn } from './screens/sign-in.tsx'
import { look, self, session, signOut, strange, unreachable } from './session.ts'
import { Shortcuts } from './shortcuts.tsx'
import { TeamSwitch } from './team-switch.tsx'
import { switchTheme, theme } from './theme.ts'

export function App() {
  if (unreachable.value)
    return (
      <main class="gate">
        <div class="card gate-card">
          <h1>Orbweaver</h1>
          <Failure error={new Error(unreachable.value)} onAgain={() => void look()} />
        </div>
      </main>
    )
  if (!session.value) return <Loading />
  if (!session.value.signedIn) return <SignIn />
  if (strange.value)
    return (
      <main class="gate">
        <div class="card gate-card">
          <h1>Not your team</h1>
          <p>This URL belongs to a team that does not exist or that your key cannot access.</p>
          <button type="button" class="button primary" onClick={() => actFor(undefined)}>
            Continue as {session.value.team}
          </button>
        </div>
      </main>
    )
  if (location.pathname.endsWith('/oauth-authorize')) return <OauthConsent />
  return location.pathname.endsWith('/cli-auth') ? <CliAuth /> : <Shell />
}

function Shell() {
  const [isOpen, setOpen] = useState(false)
  const [help, setHelp] = useState(false)
  const [name = 'home', ...rest] = place.value
  const screen = screenAt(name)
  const showHelp = useCallback((open: boolean) => setHelp(open), [])
  const before = useRef(screen)
  // Before the screen is seen: later it would take the focus from a field that somebody types in already.
  useLayoutEffect(() => {
    document.title = `${screen.label} · Orbweaver`
    // Who goes to another screen goes to its top, with the keyboard too; who just came may be typing already.
    if (before.current === screen) return
    before.current = screen
    setOpen(false)
    document.getElementById('main')?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [screen])
  return (
    <div class="shell">
      {/* Not a link: what stands after `#` in the address is where we are. */}
      <button type="button" class="button skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <header class="topbar">
        <Brand />
        <button
          type="button"
          class="button plain icon"
          aria-label="Menu"
          aria-expanded={isOpen}
          aria-controls="side"
          onClick={() => setOpen(!isOpen)}
        >
          <Picture name={isOpen ? 'close' : 'menu'} size={22} />
        </button>
      </header>
      <div class="side" id="side" data-open={isOpen}>
        <Brand />
        <nav aria-label="Screens">
          {GROUPS.map((group) => (
            <div key={group} class="nav-group">
              <p class="nav-title" id={`nav-${group}`}>
                {group}
              </p>
              <ul class="nav" aria-labelledby={`nav-${group}`}>
                {screens
                  .filter((one) => one.group === group)
                  .map(({ id, label, icon }) => (
                    <li key={id}>
                      <a href={`#/${id}`} aria-current={screen.id === id ? 'page' : undefined}>
                        <Picture name={icon} />
                        {label}
                      </a>
                    </li>
                  ))}
              </ul>
            </div>
          ))}
        </nav>
        <Foot onHelp={() => setHelp(true)} />
      </div>
      <main class="main" id="main" tabIndex={-1}>
        {self.value && (
          <section class="acting" aria-label="Acting for another team">
            <span>
              You are acting for the team <strong>{session.value?.team}</strong>. You see that team’s data, and your
              actions use its credits.
            </span>
            <button type="button" class="button slim" onClick={() => actFor(undefined)}>
              Back to {self.value.team}
            </button>
          </section>
        )}
        <screen.Screen key={rest.join('/')} rest={rest} />
      </main>
      <Shortcuts isHelpOpen={help} onHelp={showHelp} />
    </div>
  )
}

const Brand = () => (
  <a class="brand" href="#/home">
    <Mark />
    Orbweaver
  </a>
)

const Foot = ({ onHelp }: { onHelp(): void }) => (
  <div class="side-foot">
    <TeamSwitch />
    <span class="row">
      <a href={`${root}/docs`}>Docs</a>
      <a href={`${root}/docs/api`}>API</a>
    </span>
    <div class="row">
      <button
        type="button"
        class="button plain icon"
        aria-label={theme.value === 'dark' ? 'Light theme' : 'Dark theme'}
        onClick={switchTheme}
      >
        <Picture name={theme.value === 'dark' ? 'sun' : 'moon'} />
      </button>
      <button type="button" class="button plain icon" aria-label="Keyboard help" onClick={onHelp}>
        <Picture name="help" />
      </button>
      <button type="button" class="button plain icon" aria-label="Sign out" onClick={() => void signOut()}>
        <Picture name="out" />
      </button>
    </div>
  </div>
)
