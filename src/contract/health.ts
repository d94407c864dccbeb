import { literal, string, type } from 'superstruct'
import type { AnyCall } from './call.ts'
import { Nothing } from './primitives.ts'

/** Answers once the server is ready for work. */
export const getHealth = {
  method: 'GET',
  path: '/api/health',
  who: 'anyone',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  answer: type({ status: literal('ok'), build: string() }),
  problems: [],
} satisfies AnyCall
