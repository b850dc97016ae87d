import type { GetServerSideProps } from 'next'
import Head from 'next/head'
import Link from 'next/link'

interface Props {
  readonly order: string
  readonly leaves: { readonly day: string; readonly from: string }
}

/** A receipt has an address of its own, to be sent to whoever it is for. */
export const getServerSideProps: GetServerSideProps<Props> = async ({ params }) => {
  const order = String(params?.order ?? '')
  if (!/^[\w-]{4,20}$/.test(order)) return { notFound: true }
  return { props: { order, leaves: { day: 'Tuesday', from: 'Lübeck' } } }
}

export default function Receipt({ order, leaves }: Props) {
  return (
    <div className="narrow">
      <Head>
        <title>{`Receipt ${order} · Halm`}</title>
      </Head>
      <div className="receipt">
        <svg viewBox="0 0 48 48" className="receipt-mark" aria-hidden="true">
          <circle cx="24" cy="24" r="22" />
          <path d="M14 25l7 7 14-16" />
        </svg>
        <p className="eyebrow">Receipt {order}</p>
        <h1>Thank you. It is being packed.</h1>
        <p className="lead">
          It leaves {leaves.from} on {leaves.day}. Send this page to whoever it is for: it says
          nothing about what it cost.
        </p>
        <Link href="/products" className="link">
          Back to the shelf
        </Link>
      </div>
    </div>
  )
}
