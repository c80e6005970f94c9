// The services that this capability needs.
import { routeFor, type Services } from '../route.ts'

export const needs = [
  'store',
  'admission',
  'version',
  'clock',
  'meter',
  'declared',
] as const satisfies readonly (keyof Services)[]
export type Has = Pick<Services, (typeof needs)[number]>
export const route = routeFor<Has>()
