import { beforeEach, expect, test, vi } from 'vitest'
import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { TextField } from '#client/staff/kit/form/form-fields.tsx'
import type { VersionedValues } from '#client/staff/kit/form/merge-edits.ts'
import { useEditForm } from '#client/staff/kit/form/use-edit-form.ts'
import { required } from '#domain/shared/validators.ts'
import type { CallResult } from '#local/transport/request.ts'
import { cleanUp, click, getButton, getElement, render, type, waitForPage } from '#support/rendering/render.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'

type Job = { name: string; note: string }

const initialJob: VersionedValues<Job> = { values: { name: 'Spring', note: '' }, version: 1 }

/** A server with one record: saving over an older version is a conflict. */
const createJobServer = (initial: VersionedValues<Job> = initialJob) => {
  let current = initial
  const save = async ({ values, version }: VersionedValues<Job>): Promise<CallResult<VersionedValues<Job>>> => {
    if (version !== current.version) return { ok: false, status: 409, errors: ['too late'], problem: 'conflict' }
    current = { values, version: version + 1 }
    return { ok: true, status: 200, data: current }
  }
  return { save, readLatest: async () => ({ ok: true as const, status: 200, data: current }), current: () => current }
}

const Editor = ({ saved, server }: { saved: VersionedValues<Job>; server: ReturnType<typeof createJobServer> }) => {
  const edit = useEditForm({ name: 'job 7', saved, rules: { name: required() }, ...server })
  return (
    <EditForm edit={edit} labels={{ name: 'Name', note: 'Note' }}>
      <TextField name="name" label="Name" />
      <TextField name="note" label="Note" />
    </EditForm>
  )
}

const field = (name: string) => getElement<HTMLInputElement>(`[name="${name}"]`)

beforeEach(() => sessionStorage.clear())

test('a form saves what was typed and deletes its draft', async () => {
  const server = createJobServer()
  const { box } = render(<Editor saved={initialJob} server={server} />)
  type(field('note'), 'Gym, 9 am')
  expect(box.textContent).toContain('Not saved yet')
  click(getButton('Save'))
  await waitForPage(() => expect(box.textContent).toContain('Saved'))
  expect(server.current()).toEqual({ values: { name: 'Spring', note: 'Gym, 9 am' }, version: 2 })
  expect(sessionStorage.length).toBe(0)
})

test('a form with an empty required field shows an error and is not saved', async () => {
  const server = createJobServer()
  const { box } = render(<Editor saved={initialJob} server={server} />)
  type(field('name'), '')
  click(getButton('Save'))
  await waitForPage(() => expect(box.textContent).toContain('This field is required'))
  expect(server.current()).toEqual(initialJob)
})

test('a form that is opened again restores what was typed before', async () => {
  const server = createJobServer()
  render(<Editor saved={initialJob} server={server} />)
  type(field('note'), 'Gym')
  cleanUp()
  const { box } = render(<Editor saved={initialJob} server={server} />)
  await waitForPage(() => expect(field('note').value).toBe('Gym'))
  expect(box.textContent).toContain('What you typed here before is still in the form')
  click(getButton('Undo changes'))
  await waitForPage(() => expect(field('note').value).toBe(''))
})

test('a form without edits offers nothing to undo', () => {
  const { box } = render(<Editor saved={initialJob} server={createJobServer()} />)
  expect(box.textContent).not.toContain('Undo changes')
})

test('a form in a dialog has a button that closes the dialog and deletes the draft', async () => {
  const onClose = vi.fn<() => void>()
  render(
    <Dialog open onClose={onClose} title="Job">
      <Editor saved={initialJob} server={createJobServer()} />
    </Dialog>,
  )
  expect(document.body.textContent).not.toContain('Undo changes')
  type(field('note'), 'Gym')
  click(getButton('Cancel'))
  await waitForPage(() => expect(onClose).toHaveBeenCalledOnce())
  expect(sessionStorage.length).toBe(0)
})

test('a form that is saved over a newer version keeps its edits and lists the conflicts (decisions, 409)', async () => {
  const server = createJobServer()
  const { box } = render(<Editor saved={initialJob} server={server} />)
  type(field('name'), 'Spring, mine')
  await server.save({ values: { name: 'Spring, theirs', note: 'Bring the blue cloth' }, version: 1 })
  click(getButton('Save'))
  await waitForPage(() => expect(box.textContent).toContain('Someone else saved this while you were typing'))
  expect(field('name').value).toBe('Spring, mine')
  expect(field('note').value).toBe('Bring the blue cloth')
  expect(box.textContent).toContain('Name: theirs is “Spring, theirs”, yours “Spring, mine”')
  click(getButton('Save'))
  await waitForPage(() => expect(server.current().version).toBe(3))
  expect(server.current().values).toEqual({ name: 'Spring, mine', note: 'Bring the blue cloth' })
})

test('a form without edits shows a newer version at once', async () => {
  const server = createJobServer()
  const { rerender } = render(<Editor saved={initialJob} server={server} />)
  rerender(<Editor saved={{ values: { name: 'Spring 2027', note: '' }, version: 2 }} server={server} />)
  await waitForPage(() => expect(field('name').value).toBe('Spring 2027'))
})
