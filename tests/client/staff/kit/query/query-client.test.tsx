import { getDefaultStore } from 'jotai'
import { expect, test } from 'vitest'
import { queryClient } from '#client/staff/kit/query/query-client.ts'
import { readClaims } from '#client/staff/kit/session/claims.ts'
import { claimsAtom } from '#client/staff/kit/session/current-session.ts'

const createClaims = (exp: number) => readClaims(`h.${btoa(JSON.stringify({ nameid: '7', exp }))}.s`)

test('cached responses survive a token refresh and are cleared on sign-out', () => {
  const store = getDefaultStore()
  store.set(claimsAtom, createClaims(1))
  queryClient.setQueryData(['/api/account', {}], { name: 'June' })
  store.set(claimsAtom, createClaims(2))
  expect(queryClient.getQueryData(['/api/account', {}])).toEqual({ name: 'June' })
  store.set(claimsAtom, null)
  expect(queryClient.getQueryData(['/api/account', {}])).toBeUndefined()
})
