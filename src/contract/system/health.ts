import { boolean, literal, optional, string, type } from 'superstruct'
import type { AnyCall } from '../shapes/call.ts'
import { Nothing } from '../shapes/primitives.ts'

/** Answers once the server is ready for work, and during maintenance too: then every other call answers 503, and this one says so. */
export const getHealth = {
  method: 'GET',
  path: '/api/health',
  who: 'anyone',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  answer: type({ status: literal('ok'), build: string(), maintenance: optional(boolean()) }),
  problems: ['unexpected'],
} satisfies AnyCall
