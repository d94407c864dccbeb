import { boolean, enums, type Infer, nullable, object, optional, size, string, type } from 'superstruct'
import type { AnyCall } from '../shapes/call.ts'
import { Instant, Nothing } from '../shapes/primitives.ts'

/** What signing in gives (section 3): `expiration` is the access token's, ISO 8601 UTC. */
export const TokenPair = type({ token: string(), refreshToken: string(), expiration: Instant })
export type TokenPair = Infer<typeof TokenPair>

export const logIn = {
  method: 'POST',
  path: '/api/auth/login',
  who: 'anyone',
  params: Nothing,
  query: Nothing,
  body: object({ username: size(string(), 1, 254), password: size(string(), 1, 1000) }),
  answer: TokenPair,
  problems: ['authentication-failed'],
} satisfies AnyCall

/** Spends a refresh token and gives the next pair. A spent one shown again revokes its whole family: 'Invalid token'. */
export const refreshTokens = {
  ...logIn,
  path: '/api/auth/refresh',
  body: object({ refreshToken: size(string(), 1, 500) }),
  problems: ['invalid-token'],
} satisfies AnyCall

/** Revokes the refresh token's family; says the same for a token that is not known. */
export const logOut = {
  ...refreshTokens,
  path: '/api/auth/logout',
  answer: type({}),
  problems: [],
} satisfies AnyCall

const LinkToken = size(string(), 1, 100)
/** How long and of what is held against the domain's rule, which says so in words. */
const Password = size(string(), 1, 1000)
const Email = size(string(), 1, 254)
const Name = size(string(), 1, 100)

/** Mails a link to choose a new password by, where somebody signs in with this address; says the same where nobody does. */
export const forgotPassword = {
  ...logIn,
  path: '/api/auth/forgot-password',
  body: object({ email: Email }),
  answer: type({}),
  problems: [],
} satisfies AnyCall

/** Takes the mailed link's token, once and within its hour, and a new password. Every sign-in there was ends. */
export const resetPassword = {
  ...forgotPassword,
  path: '/api/auth/reset-password',
  body: object({ token: LinkToken, password: Password }),
  problems: ['refused'],
} satisfies AnyCall

/** A studio begins: it, its address in ours, and its owner, who is signed in by the answer. The same again signs in again. */
export const setUpStudio = {
  ...logIn,
  path: '/api/auth/setup',
  body: object({
    studioName: Name,
    slug: size(string(), 1, 63),
    /** The one the partner knows the studio by; a studio may begin without. */
    accountNumber: optional(size(string(), 0, 40)),
    /** IANA; one that is not known is passed over. */
    timeZone: optional(size(string(), 0, 60)),
    name: Name,
    email: Email,
    password: Password,
  }),
  problems: ['refused'],
} satisfies AnyCall

/** Whether a new studio may have this address; why not, in one sentence. */
export const checkSlug = {
  method: 'GET',
  path: '/api/auth/setup/valid',
  who: 'anyone',
  params: Nothing,
  query: object({ slug: size(string(), 1, 63) }),
  body: Nothing,
  answer: type({ valid: boolean(), message: nullable(string()) }),
  problems: [],
} satisfies AnyCall

/** Who may be invited to a studio, and as what: administrators of the platform are not. */
export const studioRoles = ['owner', 'staff'] as const
export const StudioRole = enums(studioRoles)
export type StudioRole = Infer<typeof StudioRole>

/** What an invitation says to whoever holds its link. */
export const OpenInvitation = type({ studioName: string(), name: string(), email: string(), role: StudioRole })
export type OpenInvitation = Infer<typeof OpenInvitation>

/** Reads an invitation by its link's token: a POST, so that the token stands in no address. */
export const readInvitation = {
  ...logIn,
  path: '/api/auth/invitation',
  body: object({ token: LinkToken }),
  answer: OpenInvitation,
  problems: ['refused'],
} satisfies AnyCall

/** Joins the studio: the answer signs in. The same again signs in again. */
export const acceptInvitation = {
  ...logIn,
  path: '/api/auth/invitation/accept',
  body: object({ token: LinkToken, name: Name, password: Password }),
  problems: ['refused'],
} satisfies AnyCall

/**
 * Chooses another password. Every other sign-in ends; that of `refreshToken`, the device's own, goes on. (It is also what keeps the
 * hash of this request, which is kept for its key, from being a hash of two passwords alone.)
 */
export const changePassword = {
  method: 'POST',
  path: '/api/account/password',
  who: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: object({ currentPassword: Password, newPassword: Password, refreshToken: size(string(), 1, 500) }),
  answer: type({}),
  problems: ['not-signed-in', 'refused'],
} satisfies AnyCall
