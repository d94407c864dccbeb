import { Link } from 'wouter'
import type { SubjectRow } from '#contract/studio/subjects.ts'
import type { Column } from '#ui/table/data-table.tsx'
import { subjectDisplayName } from './subject-format.ts'
import styles from './subjects.module.css'

type SubjectLinkOptions = {
  urlOf: (id: number) => string
  /** Opens a subject in the side panel. Returns false if there is no room for it. */
  openInPanel: (id: number) => boolean
}

const fieldsOf = ({ fields }: SubjectRow): string => fields.map(({ name, value }) => `${name}: ${value}`).join(', ')

const groupsOf = ({ groups }: SubjectRow): string => groups.map(({ name }) => name).join(', ')

/** Keeps long text in one line so that all rows have the same height. The subject's page shows it in full. */
const Line = ({ text }: { text: string }) => <span className={styles.line}>{text}</span>

const SubjectCell = ({ row, urlOf, openInPanel }: SubjectLinkOptions & { row: SubjectRow }) => (
  <span className={styles.person}>
    {row.imageThumbnailUrl ? (
      <img className={styles.face} src={row.imageThumbnailUrl} alt="" loading="lazy" />
    ) : (
      <span className={styles.face} />
    )}
    <Link
      href={urlOf(row.id)}
      onClick={(event) => {
        const isPlain = !event.metaKey && !event.ctrlKey && !event.shiftKey
        if (isPlain && openInPanel(row.id)) event.preventDefault()
      }}
    >
      {subjectDisplayName(row)}
    </Link>
    {row.isHidden && <span className={styles.hidden}>Hidden</span>}
  </span>
)

/** Columns of the subject list. The name links to the subject's page, or opens the side panel. */
export const subjectColumns = (opening: SubjectLinkOptions): readonly Column<SubjectRow>[] => [
  { id: 'name', header: 'Name', sort: 'name', cell: (row) => <SubjectCell row={row} {...opening} /> },
  { id: 'groups', header: 'Groups', sort: 'group', cell: (row) => <Line text={groupsOf(row)} /> },
  { id: 'reference', header: 'Reference', sort: 'reference', cell: ({ reference }) => reference },
  { id: 'code', header: 'Code', cell: ({ code }) => code },
  { id: 'images', header: 'Images', isNumber: true, cell: ({ imageCount }) => imageCount },
  { id: 'orders', header: 'Orders', isNumber: true, cell: ({ orderCount }) => orderCount },
  { id: 'checked-in', header: 'Checked in', cell: ({ isCheckedIn }) => (isCheckedIn ? 'Yes' : 'No') },
  { id: 'fields', header: 'Fields', cell: (row) => <Line text={fieldsOf(row)} /> },
]
