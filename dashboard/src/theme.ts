// Dark or light: what the system prefers, until a person says otherwise.
import { effect, signal } from '@preact/signals'

type Theme = 'light' | 'dark'
const KEPT = 'orb-theme'
const prefersDark = matchMedia('(prefers-color-scheme: dark)')

const readKeptTheme = (): Theme | undefined => {
  const text = localStorage.getItem(KEPT)
  return text === 'light' || text === 'dark' ? text : undefined
}
const getPreferredTheme = (): Theme => (prefersDark.matches ? 'dark' : 'light')

export const theme = signal<Theme>(readKeptTheme() ?? getPreferredTheme())

export function followTheme(): void {
  prefersDark.addEventListener('change', () => {
    if (!readKeptTheme()) theme.value = getPreferredTheme()
  })
  effect(() => {
    document.documentElement.dataset.theme = theme.value
  })
}

export function switchTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark'
  localStorage.setItem(KEPT, theme.value)
}
