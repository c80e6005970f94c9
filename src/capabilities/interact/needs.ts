// Service groups that this capability needs.
import { type GivenServices, makeRouteBuilder, type ServiceGroup } from '../route.ts'
import type { PeerRequests } from './peer-requests.ts'
import type { RecordingVideos } from './recording-video.ts'

export const needs = ['core', 'pages', 'sessions'] as const satisfies readonly ServiceGroup[]
export interface InteractServices {
  peers: PeerRequests
  replays: RecordingVideos
}

export type HandlerServices = GivenServices<(typeof needs)[number]> & InteractServices
export const defineRoute = makeRouteBuilder<HandlerServices>()
