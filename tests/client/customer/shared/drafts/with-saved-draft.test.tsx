import 'fake-indexeddb/auto'
import { beforeEach, expect, test } from 'vitest'
import { useDraft } from '#client/customer/shared/drafts/use-draft.ts'
import { WithSavedDraft } from '#client/customer/shared/drafts/with-saved-draft.tsx'
import { saveDraft } from '#local/store/drafts.ts'
import { database } from '#platform/database.ts'
import { click, getElement, render, waitForPage } from '#support/rendering/render.tsx'

const Form = ({ draft: kept }: { draft: unknown }) => {
  const draft = useDraft('form')
  return (
    <button type="button" onClick={() => draft.save(`${kept} and more`)}>
      {String(kept)}
    </button>
  )
}

const screen = (
  <WithSavedDraft draftKey="form" loading="wait">
    {(draft) => <Form draft={draft} />}
  </WithSavedDraft>
)

const shows = async (words: string) => {
  await waitForPage(() => expect(document.body.textContent).toBe(words))
}

beforeEach(async () => {
  await database.delete()
  await database.open()
})

test('a form reopened after a moment starts with the latest input, even while that is being written', async () => {
  await saveDraft(database, 'form', 'first')
  const { again } = render(screen)
  expect(document.body.textContent).toBe('wait')
  await shows('first')
  click(getElement('button'))
  again(null)
  again(screen)
  await shows('first and more')
})

test('a form without a draft starts empty', async () => {
  render(screen)
  await shows('undefined')
})
