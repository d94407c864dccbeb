import { boolean, type Infer, integer, object, string, type } from 'superstruct'
import { listOf, pageQuery } from '../answers.ts'
import type { AnyCall } from '../call.ts'
import { Nothing } from '../primitives.ts'
import { ofStudio, readProblems, staff, studioPath } from './staff-call.ts'

/** A studio as those who work for it see it (section 3, studio details). */
export const Studio = type({
  id: integer(),
  slug: string(),
  name: string(),
  timeZone: string(),
  rspoEnabled: boolean(),
  isMillersVerified: boolean(),
})
export type Studio = Infer<typeof Studio>

export const getStudio = {
  method: 'GET',
  path: studioPath,
  who: staff,
  params: object(ofStudio),
  query: Nothing,
  body: Nothing,
  answer: Studio,
  problems: readProblems,
} satisfies AnyCall

/** A feature a studio was given by the platform's administrators. */
export const GivenFeature = type({ identifier: string(), name: string() })

export const listFeatures = {
  method: 'GET',
  path: `${studioPath}/features`,
  who: staff,
  params: object(ofStudio),
  query: object(pageQuery),
  body: Nothing,
  answer: listOf(GivenFeature),
  problems: readProblems,
} satisfies AnyCall
