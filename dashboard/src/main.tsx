// The start of the page.
import { render } from 'preact'
import './styles/tokens.css'
import './styles/base.css'
import './styles/shell.css'
import './styles/parts.css'
import './styles/table.css'
import './styles/playground.css'
import './styles/search.css'
import './styles/sessions.css'
import './styles/runs.css'
import { App } from './app.tsx'
import { look } from './session.ts'
import { followTheme } from './theme.ts'

followTheme()
void look()
render(<App />, document.getElementById('app')!)
