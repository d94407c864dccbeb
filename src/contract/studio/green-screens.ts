import { array, boolean, enums, type Infer, integer, nullable, object, size, string, trimmed, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { Count, Id, Nothing } from '../shapes/primitives.ts'
import { listOf, pageQuery } from '../shapes/responses.ts'
import { expectedVersion, jobPath, readProblems, staff, studioJobParams, writeProblems } from '../shapes/staff-call.ts'

/**
 * A background of a job that its customers can choose for cut-outs. Sizes are upright pixels, null until the file was
 * processed.
 */
export const StaffGreenScreen = type({
  id: integer(),
  imageId: integer(),
  name: string(),
  isEnabled: boolean(),
  position: integer(),
  version: Count,
  fileName: string(),
  /** `processing` until its thumbnails are made; `refusal` is why it cannot be used. */
  state: enums(['processing', 'ready', 'refused']),
  refusal: nullable(string()),
  width: nullable(integer()),
  height: nullable(integer()),
  thumbnailUrl: nullable(string()),
  /** Packages in open carts, and in orders, that use it. */
  cartCount: Count,
  orderCount: Count,
})
export type StaffGreenScreen = Infer<typeof StaffGreenScreen>

const needs = { feature: 'greenscreens', verified: true } as const
const greenScreenParams = object({ ...studioJobParams, id: Id })
const path = `${jobPath}/greenscreens`
const itemPath = `${path}/:id` as const

export const listStaffGreenScreens = call({
  method: 'GET',
  path,
  who: staff,
  needs,
  params: object(studioJobParams),
  query: object(pageQuery),
  answer: listOf(StaffGreenScreen),
  problems: readProblems,
})

/** Adds a background: one image as the form field `File`, JPEG, PNG or WebP; its initial name is the file's. */
export const postGreenScreen = call({
  ...listStaffGreenScreens,
  method: 'POST',
  query: Nothing,
  answer: StaffGreenScreen,
  problems: [...writeProblems, 'too-large', 'unsupported-media'],
})

export const putGreenScreen = call({
  method: 'PUT',
  path: itemPath,
  who: staff,
  needs,
  params: greenScreenParams,
  body: object({ name: size(trimmed(string()), 1, 60), isEnabled: boolean(), ...expectedVersion }),
  answer: StaffGreenScreen,
  problems: writeProblems,
})

/** Deletes a background that is not in use. */
export const deleteGreenScreen = call({
  ...putGreenScreen,
  method: 'DELETE',
  body: Nothing,
  answer: type({}),
})

/** Sorts all backgrounds of a job. */
export const putGreenScreenOrder = call({
  ...listStaffGreenScreens,
  method: 'PUT',
  path: `${jobPath}/greenscreens-order`,
  query: Nothing,
  body: object({ ids: size(array(Id), 1, 500) }),
  answer: array(StaffGreenScreen),
  problems: writeProblems,
})
