import { type FormEvent, useEffect, useState } from 'react'
import { formDrafts } from '#client/staff/kit/form/form-drafts.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { type ImportDetails, previewImport } from '#contract/studio/imports.ts'
import type { ColumnUse } from '#domain/imports/import-columns.ts'
import { columnLetters, maxSheetColumns } from '#domain/imports/spreadsheet.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Form } from '#ui/form/form.tsx'
import { RadioGroup } from '#ui/form/radio-group.tsx'
import { ColumnRow } from './column-row.tsx'
import styles from './data-import.module.css'
import { formatCount } from './import-labels.ts'
import { SheetLayout } from './sheet-layout.tsx'

type ColumnChoices = { uses: readonly ColumnUse[]; matches: ImportDetails['matches'] }
type ColumnsStepProps = { job: JobParams; details: ImportDetails; refetch: () => void; onPreviewed: () => void }

/** Another sheet or header row has other columns, so each combination has its own draft. */
const draftOf = ({ id, sheet, headerRow }: ImportDetails): string => `import ${id} ${sheet ?? ''} ${headerRow}`

const isColumnChoices = (draft: unknown): draft is ColumnChoices =>
  typeof draft === 'object' && draft !== null && 'uses' in draft && 'matches' in draft

/** The target of each column: guessed by the server until the user changes it. Stored as a draft. */
const useColumnChoices = (details: ImportDetails) => {
  const name = draftOf(details)
  const begin = (): ColumnChoices => {
    const draft = formDrafts.read(name)
    return isColumnChoices(draft) ? draft : { uses: details.uses, matches: details.matches }
  }
  const [stored, setStored] = useState({ name, choices: begin() })
  if (stored.name !== name) setStored({ name, choices: begin() })
  const { choices } = stored
  useEffect(() => formDrafts.keep(name, choices), [name, choices])
  const change = (part: Partial<ColumnChoices>) => setStored({ name, choices: { ...choices, ...part } })
  const use = (changed: ColumnUse) =>
    change({ uses: choices.uses.map((one) => (one.column === changed.column ? changed : one)) })
  return {
    choices,
    use,
    setMatches: (matches: ColumnChoices['matches']) => change({ matches }),
    drop: () => formDrafts.drop(name),
  }
}

const ColumnsLeftOutNotice = ({ count }: { count: number }) => (
  <Notice
    tone="attention"
    title={count === 1 ? 'One column is left out' : `${formatCount(count)} columns are left out`}
  >
    This list has {formatCount(maxSheetColumns + count)} columns, and {maxSheetColumns} are read. What is right of
    column {columnLetters(maxSheetColumns - 1)} is not imported: move what you need to the left, and send the list
    again.
  </Notice>
)

/** Timeout in milliseconds: the server looks up each of tens of thousands of rows. */
const previewMs = 60_000

/** Maps each column to a target. The guesses can be changed. */
export const ColumnsStep = ({ job, details, refetch, onPreviewed }: ColumnsStepProps) => {
  const { choices, use, setMatches, drop } = useColumnChoices(details)
  const preview = useStaffMutation(previewImport)
  const [errors, setErrors] = useState<readonly string[]>([])
  const { studioId, jobId } = job
  const { id: importId, version } = details
  const send = async (): Promise<void> => {
    setErrors([])
    const body = { version, uses: [...choices.uses], matches: choices.matches }
    const answer = await preview.mutate(
      { params: { studioId, jobId, importId }, body, timeoutMs: previewMs },
      { onError: 'silent' },
    )
    if (answer.ok) {
      drop()
      onPreviewed()
      return
    }
    setErrors(answer.errors)
    if (answer.problem === 'conflict') refetch()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void send()
  }
  return (
    <>
      <SheetLayout key={draftOf(details)} details={details} job={job} refetch={refetch} />
      <Form onSubmit={submit} loading={preview.busy} error={errors}>
        <h2>What are its columns?</h2>
        <p className={styles.soft}>
          {formatCount(details.rowsTotal)} rows below the headings. What is kept as a field can stand on prints and
          cards.
        </p>
        {details.columnsLeftOut > 0 && <ColumnsLeftOutNotice count={details.columnsLeftOut} />}
        <ul className={styles.columns}>
          {details.columns.map((column) => (
            <ColumnRow
              key={column.index}
              column={column}
              use={
                choices.uses.find((one) => one.column === column.index) ?? {
                  column: column.index,
                  target: 'leave',
                  field: null,
                }
              }
              onUse={use}
            />
          ))}
        </ul>
        <RadioGroup
          legend="People who are there already"
          value={choices.matches}
          onValue={setMatches}
          options={[
            {
              value: 'update',
              label: 'Update them',
              hint: 'What the list says takes the place of what is there; empty cells take nothing away',
            },
            { value: 'skip', label: 'Leave them as they are', hint: 'Only new people are added' },
          ]}
        />
        <div className={styles.bar} data-actions>
          <Button type="submit" loading={preview.busy}>
            Preview
          </Button>
        </div>
      </Form>
    </>
  )
}
