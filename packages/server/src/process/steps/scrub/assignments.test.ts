import { describe, expect, test } from 'vitest'
import { isQuerySecret, scrubAssignments } from './assignments.ts'
import { keyRules } from './keys.ts'
import { defaultScrubbing } from './settings.ts'

const rules = keyRules(defaultScrubbing)

function text(words: string): string {
  return scrubAssignments(words, rules, 'text')
}

function source(line: string): string {
  return scrubAssignments(line, rules, 'source')
}

describe('in text', () => {
  test.each([
    // Separators, and the gaps around them.
    ['password=x1', 'password=[Filtered]'],
    ['password = x1', 'password = [Filtered]'],
    ['password:x1', 'password:[Filtered]'],
    ['password =    x1', 'password =    [Filtered]'],
    ['password:     x1', 'password:     x1'],
    ['password  = x1', 'password  = x1'],
    ['a%3Fpassword%3Dx1', 'a%3Fpassword%3D[Filtered]'],
    ['a%3fpassword%3dx1', 'a%3fpassword%3d[Filtered]'],
    ['password%3Ex1', 'password%3Ex1'],
    ['password%4Dx1', 'password%4Dx1'],
    ['password', 'password'],
    ['password=', 'password='],
    // More than one.
    ['password=a1&b=2&token=c3 rest', 'password=[Filtered]&b=2&token=[Filtered] rest'],
    ['password=token=a1', 'password=[Filtered]'],
    // Names.
    ['db[password]=x1', 'db[password]=[Filtered]'],
    ['user%5Btoken%5D=x1&a=1', 'user%5Btoken%5D=[Filtered]&a=1'],
    ['user%5btoken%5d=x1', 'user%5btoken%5d=[Filtered]'],
    ['$db.pass-word_1=x1', '$db.pass-word_1=[Filtered]'],
    ['größe_password=x1', 'größe_password=[Filtered]'],
    ['Z.token9=x1', 'Z.token9=[Filtered]'],
    ['=x1', '=x1'],
    ['tok en=x1', 'tok en=x1'],
    ['tok/en=x1', 'tok/en=x1'],
    ['a\\token=x1', 'a\\token=[Filtered]'],
    // The end of a word.
    ...Array.from(' &;,"\'#)]}<>|\\`\n', (end) => [`pin=x1${end}y`, `pin=[Filtered]${end}y`]),
    ['next%3Fpin=x1%26y', 'next%3Fpin=[Filtered]%26y'],
    ['pin=x1%27y', 'pin=[Filtered]'],
    // Values already hidden, and values that are not secrets.
    ['token=[Filtered]x', 'token=[Filtered]x'],
    ['token=[Filtered', 'token=[Filtered'],
    ['token=[1]', 'token=[1]'],
    ['token={a}', 'token={a}'],
    ...[
      'true',
      'FALSE',
      'null',
      'undefined',
      'none',
      'nil',
      '***',
      '"null"',
      "'true'",
      '`nil`',
    ].map((word) => [`token=${word}`, `token=${word}`]),
    ['token=nullable', 'token=[Filtered]'],
    ['token=xnull', 'token=[Filtered]'],
    // Comparisons, arrows, scopes and schemes.
    ['token==x1', 'token==x1'],
    ['token=>x1', 'token=>x1'],
    ['token::x1', 'token::x1'],
    ['token://x1', 'token://x1'],
    ['password=//x1', 'password=[Filtered]'],
    ['password:/x1', 'password:[Filtered]'],
  ] as [string, string][])('of %j stays %j', (words, expected) =>
    expect(text(words)).toBe(expected),
  )

  test.each([
    ['"password":"a b"', '"password":"[Filtered]"'],
    ['"password": "a b", "c": 1', '"password": "[Filtered]", "c": 1'],
    ["'password': 'a b' c", `'password': "[Filtered]" c`],
    ['\\"password\\": \\"a b\\", x', '\\"password\\": "[Filtered]", x'],
    ['"password" : 7x', '"password" : "[Filtered]"'],
    ['"password"="a b" c', '"password"=[Filtered] c'],
    ['password: "a b" c', 'password: [Filtered] c'],
    ['password=`a b` c', 'password=[Filtered] c'],
    ["password='a \\' b' c", 'password=[Filtered] c'],
    ['password="a \\\\" c', 'password=[Filtered] c'],
    ['password=\\"a \\\\ b\\" c', 'password=[Filtered] c'],
    ['password="a b', 'password=[Filtered]'],
    ['"pin":8364', '"pin":"[Filtered]"'],
    ['"password":{"a":1}', '"password":{"a":1}'],
  ])('in quotes, of %j stays %j', (words, expected) => expect(text(words)).toBe(expected))

  test('a name is read back to a bound', () => {
    const rest = 'x'.repeat(56)
    expect(text(`password${rest}=x1`)).toBe(`password${rest}=[Filtered]`)
    expect(text(`password${rest}x=x1`)).toBe(`password${rest}x=x1`)
  })

  test('a quoted value that does not end within a bound was cut', () => {
    const long = 'a'.repeat(4094)
    expect(text(`Cookie: ${long}abc`)).toBe('Cookie: [Filtered]c')
    expect(text(`password="${long}" c`)).toBe('password=[Filtered] c')
    expect(text(`password="${long}bc"`)).toBe('password=[Filtered]c"')
  })

  test.each([
    // Names that people say before a secret; others need a gap and a value that looks random.
    ...['password', 'passwort', 'passwd', 'passphrase', 'passcode', 'Kennwort', 'secret', 'api_key']
      .concat('access-key', 'privatekey', 'mnemonic', 'card number', 'cardnumber', 'otp', 'PIN')
      .concat('security code', 'verification-code', 'recovery phrase', 'one-time code', 'pwd')
      .concat('cvv', 'cvv2', 'cvc', 'csc', 'ssn', 'iban', 'pw', 'encryption.key')
      .map((name) => [`${name}: hunter`, `${name}: [Filtered]`]),
    ['api key: hunter', 'api key: [Filtered]'],
    ['api key : hunter', 'api key : [Filtered]'],
    ['the key: hunter2', 'the key: hunter2'],
    ['key: hunter2', 'key: hunter2'],
    ['token: punctuation', 'token: punctuation'],
    ['token: abcde1', 'token: [Filtered]'],
    ['token: abcd1', 'token: abcd1'],
    ['token:abcdef1', 'token:abcdef1'],
    ['mytoken: abcdef1', 'mytoken: [Filtered]'],
    ['xpin: hunter', 'xpin: hunter'],
    ['pinx: hunter', 'pinx: hunter'],
    // Line numbers and ports are not secrets, unless the number is too long for one.
    ['password:10', 'password:10'],
    ['password:10:5', 'password:10:5'],
    ['password:123456', 'password:[Filtered]'],
    ['password: 10', 'password: [Filtered]'],
    ['pin:8364', 'pin:[Filtered]'],
    ['cvv2:837', 'cvv2:[Filtered]'],
    // The whole line.
    ['Cookie: a=b; c="d"', 'Cookie: [Filtered]"d"'],
    ['Set-Cookie: a=b; c=d\r\nX: y', 'Set-Cookie: [Filtered]\r\nX: y'],
    ['cookie=a; b', 'cookie=[Filtered]; b'],
    // The scheme stays.
    ['Authorization: Bearer abc', 'Authorization: Bearer [Filtered]'],
    ['authorization:   basic  abc', 'authorization:   basic  [Filtered]'],
    ['Proxy-Authorization: Digest abc', 'Proxy-Authorization: Digest [Filtered]'],
    ['Authorization: Negotiate    abc', 'Authorization: Negotiate    [Filtered]'],
    ['Authorization: ApiKey abc', 'Authorization: ApiKey [Filtered]'],
    ['Authorization: Bearer', 'Authorization: [Filtered]'],
    ['Authorization: other abc', 'Authorization: [Filtered] abc'],
    ['password: bearer abc', 'password: [Filtered] abc'],
  ])('said before a colon, of %j stays %j', (words, expected) => {
    expect(text(words)).toBe(expected)
  })

  test.each([
    ['/cb?code=SplxlOBe', '/cb?code=[Filtered]'],
    ['/cb#code=SplxlOBe', '/cb#code=[Filtered]'],
    ['a=1&code=SplxlOBe', 'a=1&code=[Filtered]'],
    ['code=SplxlOBe', 'code=[Filtered]'],
    ['/in?to=%2Fcb%3Fcode%3DSplxlOBe', '/in?to=%2Fcb%3Fcode%3D[Filtered]'],
    ['the code=SplxlOBe', 'the code=SplxlOBe'],
    ['?code:SplxlOBe', '?code:SplxlOBe'],
    ['?code=404', '?code=404'],
    ['?code=40411', '?code=[Filtered]'],
    ['?code=NOT_FOUND', '?code=NOT_FOUND'],
    ['?code=_FOUND', '?code=[Filtered]'],
    ['?code=eacc', '?code=eacc'],
    ['?code=eacce', '?code=[Filtered]'],
    ['?token=404', '?token=[Filtered]'],
    ['?max_tokens=4096', '?max_tokens=4096'],
    ['?max_tokens=4096x', '?max_tokens=[Filtered]'],
    ['?max_tokens=x4096', '?max_tokens=[Filtered]'],
  ])('as a parameter, of %j stays %j', (words, expected) => expect(text(words)).toBe(expected))
})

describe('in a line of a program', () => {
  test.each([
    ['password = "hunter2"', 'password = [Filtered]'],
    ['password = ""', 'password = ""'],
    ['password = hunter', 'password = hunter'],
    ['password = hunter2', 'password = [Filtered]'],
    ['password = hun2', 'password = hun2'],
    ['pin = 836', 'pin = [Filtered]'],
    ['pin = 83', 'pin = 83'],
    ['pin = x836', 'pin = x836'],
    ['token = next2(x)', 'token = next2(x)'],
    ['token = tokens2[0]', 'token = tokens2[0]'],
    ['token = a.token2', 'token = a.token2'],
    ['token = a1+/=-b, c', 'token = [Filtered], c'],
    ['password: "hunter2"', 'password: [Filtered]'],
    ['{ "password": "x" }', '{ "password": "[Filtered]" }'],
  ])('of %j stays %j', (line, expected) => expect(source(line)).toBe(expected))
})

test.each([
  ['code', 'SplxlOBe', true],
  ['code', '404', false],
  ['code', '', false],
  ['token', '404', true],
  ['token', 'null', false],
  ['page', 'SplxlOBe', false],
])('the parameter %s with the value %j is a secret: %s', (name, value, expected) => {
  expect(isQuerySecret(name, value, rules)).toBe(expected)
})
