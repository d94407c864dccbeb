import { describe, expect, test } from 'vitest'
import { returnUrl } from '#client/staff/account/return-url.ts'
import type { Claims } from '#client/staff/kit/session/claims.ts'

const claims: Claims = {
  ...{ userId: '1', name: 'Ada', email: null, expiresAt: 0 },
  permissions: ['studio.crud'],
  studioId: 3,
}
const origin = 'https://fieldproof.test'
const start = '/admin/studios/3'

describe('the address after signing in', () => {
  test.each([
    ['nothing', undefined, start],
    ['a path of this origin', '/admin/studios/3/jobs?page=2#top', '/admin/studios/3/jobs?page=2#top'],
    ['the login itself', '/login', start],
    ['the login with its own return path', '/login?ret=%2Flogin', start],
    ['the sign-out', '/logout', start],
    ['the sign-out under the account', '/account/logout', start],
    ['the login by way of another segment', '/admin/../login', start],
    ['another origin', 'https://evil.test/', start],
    ['another origin without its scheme', '//evil.test/', start],
    ['another origin by a backslash', '/\\evil.test/', start],
    ['another origin by a tab', '/\t/evil.test/', start],
    ['a script', 'javascript:alert(1)', start],
  ])('ret with %s', (_case, ret, expected) => {
    expect(returnUrl(claims, { ret, origin })).toBe(expected)
  })
})
