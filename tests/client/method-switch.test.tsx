import { expect, test } from 'vitest'
import { EventContext } from '../../src/client/customer/event.tsx'
import { MethodSwitch } from '../../src/client/customer/method-switch.tsx'
import type { OrderMethod } from '../../src/domain/catalogue.ts'
import { button, click, count, render } from '../support/render.tsx'
import { spring } from './customer-event.ts'

const open = { available: true, opens: null, closes: null }
const { availability } = spring()
const bothOpen = { ...availability, prepay: open, gallery: open }

test.each([
  ['gallery', 'Order before the pictures instead', 'prepay'],
  ['prepay', 'Order from the pictures instead', 'gallery'],
] as const)('from %s there is a way over where both are open', (orderMethod, words, other) => {
  const chosen: OrderMethod[] = []
  const event = spring({ availability: bothOpen, orderMethod, chooseOrderMethod: (method) => chosen.push(method) })
  render(
    <EventContext value={event}>
      <MethodSwitch />
    </EventContext>,
  )
  click(button(words))
  expect(chosen).toEqual([other])
})

test('where one way is open there is nothing to switch', () => {
  render(
    <EventContext value={spring()}>
      <MethodSwitch />
    </EventContext>,
  )
  expect(count('button')).toBe(0)
})
