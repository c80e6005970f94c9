// What this capability opens for itself.
import { makeRouteBuilder, type ServicesWith } from '../route.ts'
import type { PeerRequests } from './peer-requests.ts'
import type { RecordingVideos } from './recording-video.ts'

export type InteractServices = { peers: PeerRequests; replays: RecordingVideos }

export type HandlerServices = ServicesWith<'browserSessions'> & InteractServices
export const defineRoute = makeRouteBuilder<HandlerServices>()
