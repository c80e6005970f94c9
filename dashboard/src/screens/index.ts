// The screens, in the order of the menu.
import type { ComponentType } from 'preact'
import type { IconName } from '../parts/icons.tsx'
import { Playground } from '../playground/playground.tsx'

export interface Screen {
  id: string
  label: string
  icon: IconName
  /** `rest` is what stands behind the screen's name in the address. */
  Screen: ComponentType<{ rest: string[] }>
}

export const screens: readonly Screen[] = [{ id: 'playground', label: 'Playground', icon: 'play', Screen: Playground }]

export const screenAt = (id: string): Screen => screens.find((screen) => screen.id === id) ?? screens[0]!
