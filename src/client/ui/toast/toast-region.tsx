import 'react-toastify/ReactToastify.css'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import X from 'lucide-react/icons/x'
import { useEffect, useRef } from 'react'
import { ToastContainer, type ToastTransitionProps, toast } from 'react-toastify/unstyled'
import { IconButton } from '../button/button.tsx'
import { Icon } from '../icon.tsx'
import { type Toast, type ToastTone, toastSettings } from './toast.ts'
import styles from './toast-region.module.css'

const icons = { info: Info, success: CircleCheck, error: CircleAlert } as const satisfies Record<ToastTone, typeof Info>

const ToastIcon = ({ tone }: { tone: ToastTone }) => (
  <span className={styles[tone]}>
    <Icon of={icons[tone]} />
  </span>
)

/**
 * Starts a toast's timer at once (the library pauses it if the window has no focus) and removes the toast after its exit animation.
 * The library's own transitions wait for `animationend` instead, which Chromium on a busy machine does not always send for animations
 * without duration (reduced motion): the toast would then never close.
 */
const Fade = ({ children, done, isIn, nodeRef, playToast }: ToastTransitionProps) => {
  const hasStarted = useRef(false)
  useEffect(() => {
    if (hasStarted.current) return
    hasStarted.current = true
    playToast()
  }, [playToast])
  useEffect(() => {
    if (isIn) return
    const animations = nodeRef.current?.getAnimations() ?? []
    void Promise.allSettled(animations.map(({ finished }) => finished)).then(done)
  }, [isIn, done, nodeRef])
  return children
}

/**
 * Renders toasts with react-toastify, without its injected style element. Loaded by `ToastHost` with the first toast.
 */
export const ToastRegion = ({ log }: { log: readonly Toast[] }) => {
  const lastShownId = useRef(0)
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // `ToastHost` announces each toast; the library's own live region would announce it again.
    frame.current?.querySelector('[aria-live]')?.setAttribute('aria-live', 'off')
  }, [])
  useEffect(() => {
    for (const { id, tone, text } of log) {
      if (id <= lastShownId.current) continue
      lastShownId.current = id
      toast(<span className={styles.text}>{text}</span>, { type: tone, icon: <ToastIcon tone={tone} /> })
    }
  }, [log])
  return (
    <div ref={frame} className={styles.frame}>
      <ToastContainer
        {...toastSettings}
        role="group"
        transition={Fade}
        toastClassName={styles.toast}
        closeButton={({ closeToast }) => (
          <IconButton icon={X} label="Dismiss" size="xs" className={styles.close} onClick={closeToast} />
        )}
      />
    </div>
  )
}
