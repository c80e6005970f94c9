import { it } from 'vitest'
import { openRedactor, DEFAULT_WISH } from './content/privacy/redact.ts'
const S = `Contact Jane Doe at jane.doe@example.com or +1 (415) 555-0132.
My name is Robert Okafor and I live in Springfield, IL 62704.
Please pay to IBAN DE89 3704 0044 0532 0130 00 today.
Card 4111 1111 1111 1111 exp 12/27, CVV 123.
Herr Müller wohnt in der Goethestraße 12, 80336 München.
Frau Dr. Anna-Lena Schneider, Tel. 030 1234567
Mme Dupont habite 12 rue de la Paix, 75002 Paris. Tél : 01 42 68 53 00
El señor Carlos García vive en Calle Mayor 5, 28013 Madrid, tel. 912 345 678.
A Sra. Maria Silva mora na Rua das Flores, 120, São Paulo, telefone (11) 98765-4321.
Il signor Mario Rossi abita in Via Garibaldi 10, 20121 Milano. Cell. 347 123 4567
Jan Kowalski mieszka przy ul. Marszałkowskiej 10, 00-590 Warszawa, tel. 601 234 567.
Анна Петровна Иванова живёт в Москве, ул. Ленина, д. 5, тел. 8 (495) 123-45-67.
田中さんは東京都渋谷区神南1-2-3に住んでいます。電話は03-1234-5678です。
山田太郎は大阪で働いています。
联系人：王小明，电话 138 1234 5678，地址：北京市朝阳区建国路88号。
김민수 씨는 서울특별시 강남구 테헤란로 152에 삽니다. 010-1234-5678
السيد محمد أحمد يعيش في القاهرة، هاتف 0100 123 4567
Ayşe Yılmaz İstanbul'da yaşıyor, telefonu 0532 123 45 67.
export API_KEY=sk-proj-abcdefghijklmnop1234567890
password: hunter2! and AKIAIOSFODNN7EXAMPLE
The version 2024-01-15 shipped 1,200,300 units; see ISBN 978-3-16-148410-0.
The New York Times reported that Apple and Microsoft grew 12% in 2023.
Read the Terms of Service and Privacy Policy before you Sign Up.
The Grace Period ends in May. Order no. 123-456-7890 was shipped.
Ik ben Sanne de Vries uit Utrecht, bel me op 06-12345678.
Lars Svensson bor i Göteborg, mobil 070-123 45 67.
Database: postgres://admin:s3cr3tpw@db.example.com/prod`.split('\n')
it('x', async () => {
  const r = await openRedactor()
  for (const s of S) console.log(s + '\n   → ' + r.redact(s, 'markdown', DEFAULT_WISH))
  const page = S.join('\n').repeat(25)
  for (const n of [1, 1, 10]) { const t = performance.now(); const c=process.cpuUsage(); r.find(page.repeat(n), 'markdown', DEFAULT_WISH); console.log(page.length * n, performance.now() - t, process.cpuUsage(c).user/1000) }
  for (const h of ['A', 'Aa ', '1', '1 ', '@', 'a@', '(', 'Am A', 'de ', 'Mr. ', 'password ', 'a.', '12 A ', '+1', 'DE89 ', '王', 'rue de ', '-----BEGIN PRIVATE KEY-----', 'x:', '<a ', 'calle ', 'Calle de La ', '田', 'Calle Aa ','김','محمد ','=','eyJaaaaaaaa.']) {
    const ts = [1,10].map((n) => { const x = h.repeat(Math.ceil(20000*n / h.length)); const t = performance.now(); r.find(x, 'markdown', DEFAULT_WISH); r.find(x, 'html', DEFAULT_WISH); return Math.round(performance.now() - t) })
    if (ts[1]! > 300) console.log('HOSTILE', JSON.stringify(h), ts)
  }
}, 300000)
