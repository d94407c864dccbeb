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
import { userPreferenceBounds } from '#domain/studio/user-account.ts'
import { call } from '../shapes/call.ts'
import { Count, Id, Instant, Nothing, WholeNumber } from '../shapes/primitives.ts'
import { resource, withId } from '../shapes/resource.ts'
import { listOf } from '../shapes/responses.ts'
import {
  expectedVersion,
  listQuery,
  owners,
  readProblems,
  staff,
  studioParams,
  studioPath,
  writeProblems,
} from '../shapes/staff-call.ts'
import { StudioRole } from '../system/auth.ts'

/** The signed-in user. */
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

export const getAccount = call({
  method: 'GET',
  path: '/api/account',
  who: 'signed-in',
  answer: Account,
  problems: ['not-signed-in'],
})

/** Changes the user's name; the e-mail address identifies the user and cannot change. */
export const patchAccount = call({
  ...getAccount,
  method: 'PATCH',
  body: object({ ...expectedVersion, name: Name }),
  problems: ['not-signed-in', 'conflict', 'refused'],
})

/** A user's preferences for the staff screens (section 3, user preferences). */
export const UserPreferences = type({
  id: integer(),
  userId: integer(),
  /** Pixels of the longest side of the crop editor. */
  buildMaximumCropperSize: integer(),
  buildImagesPerRow: integer(),
  useDarkMode: boolean(),
})
export type UserPreferences = Infer<typeof UserPreferences>

const withinBounds = (bounds: { min: number; max: number }) => max(min(WholeNumber, bounds.min), bounds.max)

/** Section 7 spells these names like this. */
const PreferencesChange = object({
  BuildMaximumCropperSize: optional(withinBounds(userPreferenceBounds.buildMaximumCropperSize)),
  BuildImagesPerRow: optional(withinBounds(userPreferenceBounds.buildImagesPerRow)),
  UseDarkMode: optional(boolean()),
})
export type PreferencesChange = Infer<typeof PreferencesChange>

/** The caller's own preferences, in any studio; defaults if none were set. */
export const getUserPreferences = call({
  method: 'GET',
  path: `${studioPath}/UserPreferences`,
  who: staff,
  isExempt: true,
  params: object(studioParams),
  answer: UserPreferences,
  problems: readProblems,
})

export const patchUserPreferences = call({
  ...getUserPreferences,
  method: 'PATCH',
  body: PreferencesChange,
})

/** The same without a studio in the path, so that it also works for users without a studio. */
export const getOwnPreferences = call({
  ...getUserPreferences,
  path: '/api/account/preferences',
  who: 'signed-in',
  params: Nothing,
  problems: ['not-signed-in'],
})

export const patchOwnPreferences = call({
  ...getOwnPreferences,
  method: 'PATCH',
  body: PreferencesChange,
})

/** A user of a studio. */
export const StudioUser = type({
  id: integer(),
  name: string(),
  email: string(),
  role: StudioRole,
  /** Currently not allowed to sign in. */
  isDisabled: boolean(),
  signedInAt: nullable(Instant),
  hasSecondFactor: boolean(),
  version: Count,
})
export type StudioUser = Infer<typeof StudioUser>

/** An invitation that was not accepted yet. */
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
  who: owners,
  listParams: object(studioParams),
  itemParams: object(withId(studioParams)),
  query: object({ ...listQuery, type: optional(StudioRole) }),
  row: StudioUser,
  item: StudioUser,
  draft: object({ name: Name, email: size(string(), 1, 254), role: StudioRole }),
  replacement: object({ ...expectedVersion, name: Name, role: StudioRole, isDisabled: boolean() }),
})

export const getUser = users.get
export const listUsers = users.list
/** Users are not created directly: an invitation is mailed to their address, and accepting it creates the user. */
export const inviteUser = call({ ...users.post, answer: Invitation })
export const putUser = users.put
/**
 * Ends the user's sessions; records of what the user did keep the name. The last owner who can sign in cannot be
 * removed.
 */
export const removeUser = users.remove

/** Open invitations, newest first. */
export const listInvitations = call({
  method: 'GET',
  path: `${studioPath}/invitations`,
  who: owners,
  params: object(studioParams),
  query: object(listQuery),
  answer: listOf(Invitation),
  problems: readProblems,
})

const invitationParams = object({ ...studioParams, invitationId: Id })

/** Mails the invitation again with a new link; the old link no longer works. */
export const resendInvitation = call({
  method: 'POST',
  path: `${studioPath}/invitations/:invitationId/resend`,
  who: owners,
  params: invitationParams,
  answer: Invitation,
  problems: writeProblems,
})

export const revokeInvitation = call({
  ...resendInvitation,
  method: 'DELETE',
  path: `${studioPath}/invitations/:invitationId`,
  answer: type({}),
})
