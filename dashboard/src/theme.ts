// Dark or light: what the system prefers, until a person says otherwise.
import { effect, signal } from '@preact/signals'

type Theme = 'light' | 'dark'
const KEPT = 'orb-theme'
const prefersDark = matchMedia('(prefers-color-scheme: dark)')

const kept = (): Theme | undefined => {
  const text = localStorage.getItem(KEPT)
  return text === 'light' || text === 'dark' ? text : undefined
}
const preferred = (): Theme => (prefersDark.matches ? 'dark' : 'light')

export const theme = signal<Theme>(kept() ?? preferred())

export function followTheme(): void {
  prefersDark.addEventListener('change', () => {
    if (!kept()) theme.value = preferred()
  })
  effect(() => {
    document.documentElement.dataset.theme = theme.value
  })
}

export function switchTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark'
  localStorage.setItem(KEPT, theme.value)
}
