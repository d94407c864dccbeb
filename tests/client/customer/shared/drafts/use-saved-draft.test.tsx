import 'fake-indexeddb/auto'
import { beforeEach, expect, test } from 'vitest'
import { useDraft } from '#client/customer/shared/drafts/use-draft.ts'
import { WithSavedDraft } from '#client/customer/shared/drafts/use-saved-draft.ts'
import { saveDraft } from '#local/store/device-entries.ts'
import { database } from '#platform/database.ts'
import { click, getElement, render, waitForPage } from '#support/rendering/render.tsx'

const Form = ({ draft: savedDraft }: { draft: unknown }) => {
  const draft = useDraft('form')
  return (
    <button type="button" onClick={() => draft.save(`${savedDraft} and more`)}>
      {String(savedDraft)}
    </button>
  )
}

const screen = (
  <WithSavedDraft draftKey="form" loading="wait">
    {(draft) => <Form draft={draft} />}
  </WithSavedDraft>
)

const waitForText = async (text: string) => {
  await waitForPage(() => expect(document.body.textContent).toBe(text))
}

beforeEach(async () => {
  await database.delete()
  await database.open()
})

test('a form that is reopened at once starts with the latest input, even while it is still being written', async () => {
  await saveDraft(database, 'form', 'first')
  const { rerender } = render(screen)
  expect(document.body.textContent).toBe('wait')
  await waitForText('first')
  click(getElement('button'))
  rerender(null)
  rerender(screen)
  await waitForText('first and more')
})

test('a form without a draft starts empty', async () => {
  render(screen)
  await waitForText('undefined')
})
