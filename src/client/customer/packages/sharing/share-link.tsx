import Copy from 'lucide-react/icons/copy'
import { useEffect, useRef } from 'react'
import type { Share } from '#contract/customer/share-calls.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { ignoring } from '#domain/shared/ignoring.ts'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { toast } from '#ui/toast/toast.ts'

type ShareLinkProps = { address: string; share: Share; onCreateAnother: () => void }

/** The link that was just created. It is shown once, because the server does not store it. */
export const ShareLink = ({ address, share, onCreateAnother }: ShareLinkProps) => {
  const link = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  useEffect(() => {
    link.current?.focus()
  }, [])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address)
      toast('Link copied', 'success')
    } catch {
      toast('Your browser did not copy the link. Please select and copy it.', 'error')
    }
  }
  const openShareSheet = () =>
    ignoring('the customer dismissed the share sheet', () => navigator.share({ url: address }))
  return (
    <div className="sharing-link">
      <Field
        label="Link"
        hint={`Anyone with this link can look at these photos until ${formatDate(share.expiresOn)}. They can’t order or download.`}
      >
        <TextInput readOnly ref={link} value={address} onFocus={({ currentTarget }) => currentTarget.select()} />
      </Field>
      <div className="sharing-actions">
        <Button icon={Copy} onClick={() => void copy()}>
          Copy link
        </Button>
        {typeof navigator.share === 'function' && (
          <Button variant="secondary" onClick={() => void openShareSheet()}>
            Share…
          </Button>
        )}
        <Button variant="quiet" onClick={onCreateAnother}>
          Make another link
        </Button>
      </div>
      <p className="sharing-soft">Copy or send it now: this page shows it only once.</p>
    </div>
  )
}
