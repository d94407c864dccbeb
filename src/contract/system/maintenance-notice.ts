import { nullable, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { Instant } from '../shapes/primitives.ts'

/** The maintenance that is announced at the moment; null if none is. Staff read it on every screen. */
export const getMaintenanceNotice = call({
  method: 'GET',
  path: '/api/maintenance',
  who: 'anyone',
  answer: type({ announced: nullable(type({ message: string(), from: Instant, until: Instant })) }),
  problems: [],
})
