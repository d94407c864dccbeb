import {
  boolean,
  enums,
  type Infer,
  integer,
  max,
  min,
  nullable,
  object,
  optional,
  size,
  string,
  type,
} from 'superstruct'
import { userPreferenceBounds } from '#domain/studio/user-preferences.ts'
import type { AnyCall } from '../shapes/call.ts'
import { Count, Id, Instant, Nothing, WholeNumber } from '../shapes/primitives.ts'
import { resource, withId } from '../shapes/resource.ts'
import { listOf } from '../shapes/responses.ts'
import {
  expectedVersion,
  listQuery,
  readProblems,
  staff,
  studioParams,
  studioPath,
  userManagers,
  writeProblems,
} from '../shapes/staff-call.ts'
import { StudioRole } from '../system/auth.ts'

/** The signed-in person. */
export const Account = type({
  id: integer(),
  name: string(),
  email: string(),
  role: enums(['administrator', 'owner', 'staff']),
  /** Null for administrators of the platform. */
  studioId: nullable(integer()),
  studioName: nullable(string()),
  version: Count,
})
export type Account = Infer<typeof Account>

const Name = size(string(), 1, 100)

export const getAccount = {
  method: 'GET',
  path: '/api/account',
  who: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  answer: Account,
  problems: ['not-signed-in'],
} satisfies AnyCall

/** Changes the person's name; the e-mail address is who they are, and stays. */
export const patchAccount = {
  ...getAccount,
  method: 'PATCH',
  body: object({ ...expectedVersion, name: Name }),
  problems: ['not-signed-in', 'conflict', 'refused'],
} satisfies AnyCall

/** How somebody likes the screens of staff (section 3, user preferences). */
export const UserPreferences = type({
  id: integer(),
  userId: integer(),
  /** Pixels of the longest side of the crop editor. */
  buildMaximumCropperSize: integer(),
  buildImagesPerRow: integer(),
  useDarkMode: boolean(),
})
export type UserPreferences = Infer<typeof UserPreferences>

const within = ({ least, most }: { least: number; most: number }) => max(min(WholeNumber, least), most)

/** Section 7 names these as they are. */
const PreferencesChange = object({
  BuildMaximumCropperSize: optional(within(userPreferenceBounds.buildMaximumCropperSize)),
  BuildImagesPerRow: optional(within(userPreferenceBounds.buildImagesPerRow)),
  UseDarkMode: optional(boolean()),
})
export type PreferencesChange = Infer<typeof PreferencesChange>

/** The caller's own, wherever they work; who has chosen nothing has the defaults. */
export const getUserPreferences = {
  method: 'GET',
  path: `${studioPath}/UserPreferences`,
  who: staff,
  isExempt: true,
  params: object(studioParams),
  query: Nothing,
  body: Nothing,
  answer: UserPreferences,
  problems: readProblems,
} satisfies AnyCall

export const patchUserPreferences = {
  ...getUserPreferences,
  method: 'PATCH',
  body: PreferencesChange,
} satisfies AnyCall

/** The same for who is in no studio: the account page asks here. */
export const getOwnPreferences = {
  ...getUserPreferences,
  path: '/api/account/preferences',
  who: 'signed-in',
  params: Nothing,
  problems: ['not-signed-in'],
} satisfies AnyCall

export const patchOwnPreferences = {
  ...getOwnPreferences,
  method: 'PATCH',
  body: PreferencesChange,
} satisfies AnyCall

/** Somebody who works for a studio. */
export const StudioUser = type({
  id: integer(),
  name: string(),
  email: string(),
  role: StudioRole,
  /** May not sign in for now. */
  isDisabled: boolean(),
  signedInAt: nullable(Instant),
  version: Count,
})
export type StudioUser = Infer<typeof StudioUser>

/** A letter that waits for its answer. */
export const Invitation = type({
  id: integer(),
  name: string(),
  email: string(),
  role: StudioRole,
  invitedBy: nullable(string()),
  sentAt: Instant,
  expiresAt: Instant,
  isExpired: boolean(),
})
export type Invitation = Infer<typeof Invitation>

const users = resource({
  base: `${studioPath}/users`,
  who: userManagers,
  above: object(studioParams),
  of: object(withId(studioParams)),
  query: object({ ...listQuery, type: optional(StudioRole) }),
  row: StudioUser,
  item: StudioUser,
  draft: object({ name: Name, email: size(string(), 1, 254), role: StudioRole }),
  kept: object({ ...expectedVersion, name: Name, role: StudioRole, isDisabled: boolean() }),
})

export const getUser = users.get
export const listUsers = users.list
/** Nobody is made to work for a studio: they are invited, by a letter to their address, and come when they accept. */
export const inviteUser = { ...users.post, answer: Invitation } satisfies AnyCall
export const putUser = users.put
/** Their sign-ins end; what they did keeps their name. The last owner who may sign in stays. */
export const removeUser = users.remove

/** The letters nobody has answered yet, the newest first. */
export const listInvitations = {
  method: 'GET',
  path: `${studioPath}/invitations`,
  who: userManagers,
  params: object(studioParams),
  query: object(listQuery),
  body: Nothing,
  answer: listOf(Invitation),
  problems: readProblems,
} satisfies AnyCall

const ofInvitation = object({ ...studioParams, invitationId: Id })

/** Sends the letter again, with a new link; the old one opens nothing any more. */
export const resendInvitation = {
  method: 'POST',
  path: `${studioPath}/invitations/:invitationId/resend`,
  who: userManagers,
  params: ofInvitation,
  query: Nothing,
  body: Nothing,
  answer: Invitation,
  problems: writeProblems,
} satisfies AnyCall

export const revokeInvitation = {
  ...resendInvitation,
  method: 'DELETE',
  path: `${studioPath}/invitations/:invitationId`,
  answer: type({}),
} satisfies AnyCall
