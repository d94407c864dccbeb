import { getDefaultStore } from 'jotai'
import { expect, test } from 'vitest'
import { readClaims } from '../../../src/client/session/claims.ts'
import { claimsAtom } from '../../../src/client/session/signed-in.ts'
import { queryClient } from '../../../src/client/staff/query-client.ts'

const claimsOf = (exp: number) => readClaims(`h.${btoa(JSON.stringify({ nameid: '7', exp }))}.s`)

test('what somebody was answered goes when they sign out, and stays through a refresh', () => {
  const store = getDefaultStore()
  store.set(claimsAtom, claimsOf(1))
  queryClient.setQueryData(['/api/account', {}], { name: 'June' })
  store.set(claimsAtom, claimsOf(2))
  expect(queryClient.getQueryData(['/api/account', {}])).toEqual({ name: 'June' })
  store.set(claimsAtom, null)
  expect(queryClient.getQueryData(['/api/account', {}])).toBeUndefined()
})
