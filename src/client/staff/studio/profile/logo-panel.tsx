import ImageUp from 'lucide-react/icons/image-up'
import { useRef, useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { deleteLogo, putLogo, type Studio } from '#contract/studio/studio.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { MessageList } from '#ui/form/message-list.tsx'
import { accentBackgrounds } from '#ui/theme/accent.ts'
import { toast } from '#ui/toast/toast.ts'
import styles from './logo-panel.module.css'

const maxBytes = 5 * 1024 * 1024
const lead = 'A JPEG, PNG or WebP of up to 5 MB. Customers see it as soon as it is uploaded.'

/**
 * Background colors of both themes, independent of the current theme. Logos are made for white paper, so the dark theme shows them on a
 * light plate.
 */
const themePreviews = [
  {
    theme: 'light',
    style: { background: accentBackgrounds.light[2], color: accentBackgrounds.dark[3] },
    plate: undefined,
  },
  {
    theme: 'dark',
    style: { background: accentBackgrounds.dark[2], color: accentBackgrounds.light[0] },
    plate: accentBackgrounds.light[3],
  },
] as const

const LogoPreview = ({ studio }: { studio: Studio }) => (
  <ul className={styles.grounds}>
    {themePreviews.map(({ theme, style, plate }) => (
      <li key={theme} className={styles.ground} style={style}>
        {studio.logo ? (
          <img src={studio.logo} alt={`The logo as customers see it, ${theme}`} style={{ background: plate }} />
        ) : (
          <span className={styles.letter}>{studio.name.slice(0, 1)}</span>
        )}
      </li>
    ))}
  </ul>
)

/** The studio's logo on both backgrounds, with its actions. */
export const LogoPanel = ({ studio }: { studio: Studio }) => {
  const input = useRef<HTMLInputElement>(null)
  const [errors, setErrors] = useState<readonly string[]>([])
  const putting = useStaffMutation(putLogo)
  const removing = useStaffMutation(deleteLogo)
  const params = { studioId: studio.id }

  const send = async (file: File) => {
    if (file.size > maxBytes) return setErrors([`${file.name} is larger than 5 MB. Export it smaller and try again`])
    setErrors([])
    const form = new FormData()
    form.append('File', file)
    const answer = await putting.mutate({ params, form }, { onError: 'silent' })
    if (answer.ok) toast('The logo is on your customers’ pages', 'success')
    else setErrors(answer.errors)
  }
  const remove = async () => {
    const title = 'Remove the logo?'
    const message = 'Customers see the studio’s name in its place.'
    if (!(await confirm({ title, message, confirmText: 'Remove', danger: true }))) return
    setErrors([])
    await removing.mutate({ params })
  }
  return (
    <Panel title="Logo" lead={lead}>
      <LogoPreview studio={studio} />
      <input
        ref={input}
        type="file"
        hidden
        accept="image/jpeg,image/png,image/webp"
        aria-label="Logo"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          // Choosing the same file a second time must fire `change`.
          currentTarget.value = ''
          if (file) void send(file)
        }}
      />
      <div className={styles.actions}>
        <Button variant="secondary" icon={ImageUp} loading={putting.busy} onClick={() => input.current?.click()}>
          {studio.logo ? 'Replace logo' : 'Upload logo'}
        </Button>
        {studio.logo && (
          <Button variant="quiet" loading={removing.busy} onClick={() => void remove()}>
            Remove
          </Button>
        )}
      </div>
      <div role="alert" className={styles.errors}>
        <MessageList messages={errors} />
      </div>
    </Panel>
  )
}
