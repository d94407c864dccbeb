import { assign, boolean, enums, type Infer, nullable, object, optional, size, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { Id } from '../shapes/primitives.ts'
import { resource } from '../shapes/resource.ts'
import { listOf } from '../shapes/responses.ts'
import { administrators, expectedVersion, listQuery, readProblems, writeProblems } from '../shapes/staff-call.ts'
import { Invitation, StudioUser } from '../studio/accounts.ts'
import { UserRole } from './auth.ts'

const membership = type({
  role: UserRole,
  /** Null for administrators of the platform. */
  studioId: nullable(Id),
  studioName: nullable(string()),
})

/** A user of a studio, or an administrator of the platform. */
export const PlatformUser = assign(
  StudioUser,
  membership,
  type({
    /** Whether the studio has an owner who may sign in: then only its owners give its users rights. */
    studioHasOwner: boolean(),
  }),
)
export type PlatformUser = Infer<typeof PlatformUser>

/** An invitation to a studio or to the platform that was not accepted yet. */
export const PlatformInvitation = assign(Invitation, membership)
export type PlatformInvitation = Infer<typeof PlatformInvitation>

export const userStates = ['enabled', 'disabled'] as const

const Name = size(string(), 1, 100)

const users = resource({
  base: '/api/admin/users',
  who: administrators,
  listParams: object({}),
  itemParams: object({ id: Id }),
  query: object({
    ...listQuery,
    type: optional(UserRole),
    studioId: optional(Id),
    state: optional(enums(userStates)),
  }),
  row: PlatformUser,
  item: PlatformUser,
  draft: object({ name: Name, email: size(string(), 1, 254), role: UserRole, studioId: nullable(Id) }),
  replacement: object({ ...expectedVersion, name: Name, role: UserRole, isDisabled: boolean() }),
})

export const getPlatformUser = users.get
export const listPlatformUsers = users.list
/** Mails an invitation; accepting it creates the user. To a studio only an owner, and only while it has none. */
export const invitePlatformUser = call({ ...users.post, answer: PlatformInvitation })
/**
 * Changes a user. Nobody can disable themselves, the last owner of a studio or the last administrator. A user of a studio with an owner can
 * only lose rights by it; the owners are emailed.
 */
export const putPlatformUser = users.put
/** Removes a user, with the same exceptions. Records of what the user did keep the name. */
export const removePlatformUser = users.remove

/** Ends all sign-ins of a user on all devices, and their API tokens, at once. */
export const endUserSessions = call({
  method: 'POST',
  path: '/api/admin/users/:id/end-sessions',
  who: administrators,
  params: object({ id: Id }),
  answer: type({}),
  problems: writeProblems,
})

/** Open invitations of all studios and of the platform, newest first. */
export const listPlatformInvitations = call({
  method: 'GET',
  path: '/api/admin/invitations',
  who: administrators,
  query: object(listQuery),
  answer: listOf(PlatformInvitation),
  problems: readProblems,
})

/** Mails the invitation again with a new link; the old link no longer works. */
export const resendPlatformInvitation = call({
  ...endUserSessions,
  path: '/api/admin/invitations/:id/resend',
  answer: PlatformInvitation,
})

export const revokePlatformInvitation = call({
  ...endUserSessions,
  method: 'DELETE',
  path: '/api/admin/invitations/:id',
})
