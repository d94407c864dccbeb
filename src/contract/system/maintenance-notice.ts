import { nullable, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { Instant } from '../shapes/primitives.ts'

/** A planned maintenance, before it begins. */
const AnnouncedMaintenance = type({
  /** What people will read; empty for the usual message. */
  message: string(),
  from: Instant,
  until: Instant,
})

/** The maintenance that is announced at the moment; null if none is. Staff read it on every screen. */
export const getMaintenanceNotice = call({
  method: 'GET',
  path: '/api/maintenance',
  who: 'anyone',
  answer: type({ announced: nullable(AnnouncedMaintenance) }),
  problems: [],
})
