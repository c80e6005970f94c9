// The settings that capabilities declare, for config.ts. Kept separate so that reading a setting does not load the
// capabilities.
import type { SettingValues } from '../base/setting.ts'
import { flowSettings } from './flow/settings.ts'
import { interactSettings } from './interact/settings.ts'
import { monitorSettings } from './monitor/settings.ts'
import { onboardingSettings } from './onboarding/settings.ts'
import { searchSettings } from './search/settings.ts'
import { siteOwnerSettings } from './site-owners/settings.ts'

export const capabilitySettings = {
  ...onboardingSettings,
  ...interactSettings,
  ...flowSettings,
  ...monitorSettings,
  ...searchSettings,
  ...siteOwnerSettings,
}

export type CapabilitySettings = SettingValues<typeof capabilitySettings>
