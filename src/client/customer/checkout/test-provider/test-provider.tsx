import { lazy } from 'react'
import { Notice } from '#ui/feedback/notice.tsx'
import type { CardProvider } from '../card/card-provider.ts'
import { validateTestCard } from './test-card.ts'
import { TestCardFields } from './test-card-fields.tsx'

/** The built-in test provider, which takes the card in this page. */
export const testProvider: CardProvider = {
  acceptsCards: () => true,
  needsTotal: false,
  Notice: () => <Notice title="Test payments">Use 4242 4242 4242 4242, any future date, any security code.</Notice>,
  validate: validateTestCard,
  CardFields: TestCardFields,
  BankStep: lazy(async () => ({ default: (await import('./test-bank-step.tsx')).TestBankStep })),
}
