import { expect, test } from 'vitest'
import { RetouchExamples } from '#client/customer/cart/order-services/retouch-examples.tsx'
import { render } from '#support/rendering/render.tsx'
import { basicRetouch, nameService, premiumRetouch } from '#tests/domain/cart/order-service-fixtures.ts'

test('a face is drawn before retouching and after each level, with fewer flaws each time', () => {
  render(<RetouchExamples services={[basicRetouch, premiumRetouch, nameService]} />)
  const examples = [...document.querySelectorAll('li')]
  expect(examples.map(({ textContent }) => textContent)).toEqual([
    'Before',
    `After: ${basicRetouch.name}`,
    `After: ${premiumRetouch.name}`,
  ])
  const counts = examples.map((example) => example.querySelectorAll('svg *').length)
  expect(counts).toEqual([...counts].sort((a, b) => b - a))
  expect(new Set(counts).size).toBe(3)
})
