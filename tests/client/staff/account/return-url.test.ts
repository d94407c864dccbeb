import { describe, expect, test } from 'vitest'
import { returnUrl } from '#client/staff/kit/routing/staff-home-url.ts'
import type { Claims } from '#client/staff/kit/session/claims.ts'

const claims: Claims = {
  ...{ userId: '1', name: 'Ada', email: null, expiresAt: 0 },
  permissions: ['studio.crud'],
  studioId: 3,
}
const origin = 'https://fieldproof.test'
const homePath = '/admin/studios/3'

describe('the address after signing in, for ret with', () => {
  test.each([
    ['nothing', undefined, homePath],
    ['a path of this origin', '/admin/studios/3/jobs?page=2#top', '/admin/studios/3/jobs?page=2#top'],
    ['the login itself', '/login', homePath],
    ['the login with its own return path', '/login?ret=%2Flogin', homePath],
    ['the sign-out', '/logout', homePath],
    ['the sign-out under the account', '/account/logout', homePath],
    ['the login by way of another segment', '/admin/../login', homePath],
    ['another origin', 'https://evil.test/', homePath],
    ['another origin without its scheme', '//evil.test/', homePath],
    ['another origin by a backslash', '/\\evil.test/', homePath],
    ['another origin by a tab', '/\t/evil.test/', homePath],
    ['a script', 'javascript:alert(1)', homePath],
  ])('%s', (_case, ret, expected) => {
    expect(returnUrl(claims, { ret, origin })).toBe(expected)
  })
})
