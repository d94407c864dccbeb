import { array, boolean, enums, type Infer, nullable, object, optional, size, string, type, union } from 'superstruct'
import { call } from '../shapes/call.ts'
import { Instant } from '../shapes/primitives.ts'

/** The tokens of a sign-in (section 3): `expiration` is the access token's, ISO 8601 UTC. */
export const TokenPair = type({ token: string(), refreshToken: string(), expiration: Instant })
export type TokenPair = Infer<typeof TokenPair>

/** The ways to prove a second factor, after the password. */
export const secondFactorMethods = ['authenticator', 'passkey', 'recovery-code'] as const

/**
 * What a sign-in still needs after the password: a proof of the second factor, or setting one up because the user must
 * have one. The token is for this step only, and `expiration` is its end.
 */
export const SignInStep = type({
  step: enums(['second-factor', 'set-up']),
  stepToken: string(),
  expiration: Instant,
  /** For `second-factor`: what this user can prove. */
  methods: array(enums(secondFactorMethods)),
})
export type SignInStep = Infer<typeof SignInStep>

/** The tokens of a sign-in, or the step that is missing. */
export const SignInAnswer = union([TokenPair, SignInStep])
export type SignInAnswer = Infer<typeof SignInAnswer>

/** Checks the password. The answer has no tokens if the user has a second factor, or must set one up. */
export const logIn = call({
  method: 'POST',
  path: '/api/auth/login',
  who: 'anyone',
  body: object({ username: size(string(), 1, 254), password: size(string(), 1, 1000) }),
  answer: SignInAnswer,
  problems: ['authentication-failed'],
})

/**
 * Exchanges a refresh token for the next pair. A used token that is sent again revokes its whole family: 'Invalid
 * token'.
 */
export const refreshTokens = call({
  ...logIn,
  path: '/api/auth/refresh',
  body: object({ refreshToken: size(string(), 1, 500) }),
  answer: TokenPair,
  problems: ['invalid-token'],
})

/** Revokes the refresh token's family; the response is the same for an unknown token. */
export const logOut = call({
  ...refreshTokens,
  path: '/api/auth/logout',
  answer: type({}),
  problems: [],
})

const LinkToken = size(string(), 1, 100)
/** The domain's rule validates passwords and returns readable messages. */
const Password = size(string(), 1, 1000)
const Email = size(string(), 1, 254)
const Name = size(string(), 1, 100)

/** Mails a link for choosing a new password to a user of this address; the response is the same if there is none. */
export const forgotPassword = call({
  ...logIn,
  path: '/api/auth/forgot-password',
  body: object({ email: Email }),
  answer: type({}),
  problems: [],
})

/** Sets a new password with the token of the mailed link, once and within an hour. Ends all sessions of the user. */
export const resetPassword = call({
  ...forgotPassword,
  path: '/api/auth/reset-password',
  body: object({ token: LinkToken, password: Password }),
  problems: ['refused'],
})

/** Creates a studio, its address and its owner, who is signed in by the response. A retry signs in again. */
export const setUpStudio = call({
  ...logIn,
  path: '/api/auth/setup',
  body: object({
    studioName: Name,
    slug: size(string(), 1, 63),
    /** The studio's account number at the partner; optional. */
    accountNumber: optional(size(string(), 0, 40)),
    /** IANA name; an unknown one is ignored. */
    timeZone: optional(size(string(), 0, 60)),
    name: Name,
    email: Email,
    password: Password,
  }),
  problems: ['refused'],
})

/** Whether a new studio can use this slug; if not, why. */
export const checkSlug = call({
  method: 'GET',
  path: '/api/auth/setup/valid',
  who: 'anyone',
  query: object({ slug: size(string(), 1, 63) }),
  answer: type({ valid: boolean(), message: nullable(string()) }),
  problems: [],
})

/** The roles of a studio's users. */
export const studioRoles = ['owner', 'staff'] as const
export const StudioRole = enums(studioRoles)
export type StudioRole = Infer<typeof StudioRole>

/** The roles of all users. Administrators belong to the platform, and to no studio. */
export const userRoles = ['administrator', ...studioRoles] as const
export const UserRole = enums(userRoles)
export type UserRole = Infer<typeof UserRole>

/** What anyone with the link can see of an invitation. */
export const OpenInvitation = type({
  /** Null for an administrator of the platform. */
  studioName: nullable(string()),
  name: string(),
  email: string(),
  role: UserRole,
})
export type OpenInvitation = Infer<typeof OpenInvitation>

/** Reads an invitation by the token of its link: a POST, so that the token is not part of an address. */
export const readInvitation = call({
  ...logIn,
  path: '/api/auth/invitation',
  body: object({ token: LinkToken }),
  answer: OpenInvitation,
  problems: ['refused'],
})

/** Accepts an invitation and signs in. A retry signs in again. */
export const acceptInvitation = call({
  ...logIn,
  path: '/api/auth/invitation/accept',
  body: object({ token: LinkToken, name: Name, password: Password }),
  problems: ['refused'],
})

/**
 * Changes the password. Ends all sessions but the one of `refreshToken`, the device's own. Idempotency stores a hash of
 * the body: because the body contains the token, passwords cannot be guessed from that hash.
 */
export const changePassword = call({
  method: 'POST',
  path: '/api/account/password',
  who: 'signed-in',
  body: object({ currentPassword: Password, newPassword: Password, refreshToken: size(string(), 1, 500) }),
  answer: type({}),
  problems: ['not-signed-in', 'refused'],
})
