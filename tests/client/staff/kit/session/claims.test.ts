// @vitest-environment node
import { expect, test } from 'vitest'
import { readClaims } from '#client/staff/kit/session/claims.ts'
import { signAccessToken } from '#server/access/tokens/access-token.ts'
import { readSettings } from '#server/env.ts'

const signing = { clock: () => new Date('2027-04-15T10:00:00.000Z'), settings: readSettings({ NODE_ENV: 'test' }) }
const owner = { id: 7, name: 'Olive Öwner', email: 'owner@riverside.test', studioId: 3 }

test.each([[['studio.crud']], [['studio.crud', 'studio.financials.read']], [[]]] as const)(
  'the page reads the claims of a token that the server signed with %j (section 3)',
  async (permissions) => {
    const { token, expires } = await signAccessToken(signing, { ...owner, permissions: [...permissions] })
    expect(readClaims(token)).toEqual({
      userId: '7',
      name: 'Olive Öwner',
      email: 'owner@riverside.test',
      permissions,
      studioId: 3,
      expiresAt: expires.getTime(),
    })
  },
)
