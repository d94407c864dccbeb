import { problems } from '#contract/shapes/problems.ts'
import { type CartProblem, cartProblemSentence } from '#domain/cart/cart-rules.ts'
import { type ClosedReason, closedSentences } from '#domain/catalogue/job-availability.ts'
import { backgroundGone, pictureSentences } from '../store/image-choice-rules.ts'
import { lettersSentence, textFixed } from '../store/text-messages.ts'
import type { Refusal } from './command.ts'

const named = <Name extends string>(problem: Name, sentence: string): Refusal => ({ problem, sentence })

/** What is said of a change that this build cannot read. */
export const otherVersion = 'This change was made by another version of this app. Reload the page and try again'

/** What the server refuses beyond the cart rules, because only it knows. */
export const refusals = {
  'kind-unknown': named('bad-request', otherVersion),
  'package-gone': named('package-gone', 'This package is not on offer any more'),
  'grant-needed': named('grant-needed', 'Please choose and confirm this person first'),
  'picture-gone': named('picture-gone', pictureSentences['picture-gone']),
  'picture-fixed': named('picture-fixed', pictureSentences['picture-fixed']),
  'picture-of-group': named('picture-of-group', pictureSentences['picture-of-group']),
  'text-fixed': named('text-fixed', textFixed),
  'crop-refused': named('crop-refused', pictureSentences['crop-refused']),
  'crop-outside': named('crop-outside', pictureSentences['crop-outside']),
  'background-gone': named('background-gone', backgroundGone),
  'key-reused': named('key-reused', problems['key-reused'].sentence),
  'person-listed': named(
    'person-listed',
    'The studio has a list of everybody at this event. Please find this person in it',
  ),
  'people-full': named('people-full', 'Too many people were typed in here. Order for these first'),
  'name-missing': named('name-missing', 'Type the first and the last name'),
  'pose-closed': named('pose-closed', 'The yearbook picture can no longer be chosen here'),
  ordered: named('cart-closed', cartProblemSentence('cart-closed', 'ordered')),
  paying: named('cart-closed', cartProblemSentence('cart-closed', 'frozen')),
} as const satisfies Record<string, Refusal>

/** Why a cart whose way of ordering has closed takes no more changes (section 5). */
export const closedRefusal = (reason: ClosedReason): Refusal => named(reason, closedSentences[reason])

export const lettersRefusal = (lacking: readonly string[]): Refusal =>
  named('letters-lacking', lettersSentence(lacking))

export const ruleRefusal = (problem: CartProblem, state: 'open' | 'frozen' | 'ordered'): Refusal =>
  named(problem, cartProblemSentence(problem, state))
