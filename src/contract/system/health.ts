import { array, literal, optional, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'

/**
 * Responds once the server is ready, and during maintenance too: all other calls then return 503, and this one reports
 * it.
 */
export const getHealth = call({
  method: 'GET',
  path: '/api/health',
  who: 'anyone',
  answer: type({
    status: literal('ok'),
    build: string(),
    /** What people read while the product is closed for maintenance. */
    maintenance: optional(string()),
    /** What the operator should change although the server works. */
    warnings: optional(array(string())),
  }),
  problems: ['unexpected'],
})
