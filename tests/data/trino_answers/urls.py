"""Addresses: what they are made of, and how texts stand in them."""

from suite import Suite, quoted

ADDRESSES = [
    "http://example.com", "http://example.com/", "https://user:pass@example.com:8080/a/b?x=1&y=2#f", "HTTP://Example.COM/A", "http://example.com:80?q", "http://example.com#", "http://example.com?", "http://example.com/?#",
    "ftp://ftp.is.co.za/rfc/rfc1808.txt", "mailto:John.Doe@example.com", "mailto:", "news:comp.infosystems", "tel:+1-816-555-1212", "urn:oasis:names", "urn:a#f", "file:///etc/passwd", "file://", "file:/a", "a", "", "/", "//", "//host", "//host/p", "///p", "?q=1", "#f", "a/b?c#d", "a:b", "a:", ":a", "1a:b", "a+b.c-d:e",
    "http://", "http:///", "http://?q", "http:// example.com", "http://exa mple.com", "http://example.com/a b", "http://example.com/%41%42", "http://example.com/%zz", "http://example.com/%4", "http://example.com/%", "http://example.com/a%2Fb%3F", "http://example.com/?q=%41+b&r=%C3%A9", "http://example.com/%C3%A9/é/😀", "http://example.com/%FF", "http://example.com/%C3x", "http://exämple.com/p", "http://例え.jp/引き割り", "http://example.com/?é#ü", "http://example.com/a\u00a0b", "http://example.com/a\tb", "http://example.com/\u0080x", "http://example.com/\u0081x",
    "http://[::1]", "http://[::1]:8080/p", "http://[1:2:3:4:5:6:7:8]/", "http://[1:2:3]/", "http://[1:2:3:4:5:6:7:8:9]/", "http://[::ffff:1.2.3.4]/", "http://[1::2::3]/", "http://[fe80::1%25eth0]/", "http://[fe80::1%eth0]/", "http://[fe80::1%]/", "http://[::1", "http://::1/", "http://[::1]x/", "http://[g::1]/", "http://[12345::1]/", "http://[1:2:3:4:5:6:1.2.3.4]/", "http://[::1.2.3.256]/", "http://[v1.a]/", "http://[]/", "http://user@[::1]:1",
    "http://1.2.3.4", "http://1.2.3.4:5", "http://256.1.1.1/", "http://1.2.3/", "http://1.2.3.4.5/", "http://1.2.3.4a/", "http://1.2.3.a/", "http://1.2.3.4./", "http://a.1/", "http://a.b-/", "http://-a.b/", "http://a..b/", "http://a.b./p", "http://.a/", "http://a_b.c/p", "http://a_b.c:1/p", "http://a.b:/p", "http://a.b:x/p", "http://a.b:99999999999/p", "http://a.b:65536/", "http://a.b:-1/", "http://a:1:2/", "http://@host/", "http://u@/", "http://u@h@i/", "http://a%20b/", "http://a%2/", "http://u%40v@h/", "http://u%zz@h/", "http://h,i;j=k$l/", "http://h!*'()/", "http://h|i/", "http://h\"/", "http://a:b@c:d/", "http://h\\i/",
    "http://h/p?a=b?c/d#e?f/g", "http://h/p#a#b", "http://h/p?a[0]=1", "http://h/p[0]", "http://h/p#[0]", "http://h/{p}", "http://h/p?{q}", "http://h/p?a|b", "http://h/p?a^b", "http://h/p?a`b", "http://h/p?<a>", "http://h/p;v=1/q;w", "http://h/p//q/../r/./s", "http://h/p?a=1&a=2&b&=c&&d=&e=f=g&%61=x", "http://h/p?a=b%26c&d=e%3Df", "javascript:alert(1)", "data:text/plain;base64,YQ==", "a://b:c", "x-y://h", "h:80", "h:80/p", "localhost:8080/a?b#c", "www.example.com/a", "C:\\a", "http:a", "http:/a", "http:?a", "http:#a", "a?b:c", "a#b:c", "a/b:c", "x:/?#",
]


def statements(suite: Suite):
    addresses = [quoted(text) for text in ADDRESSES]
    for part in ["protocol", "host", "port", "path", "query", "fragment"]:
        for start in range(0, len(addresses), 40):
            suite.calls("url_extract_%s({0})" % part, addresses[start : start + 40])
        suite.values(f"url_extract_{part}(NULL)", f"url_extract_{part}(1)", f"url_extract_{part}()")
    some = ["http://h/p?a=1&a=2&b&=c&&d=&e=f=g&%61=x", "http://h/p?a=b%26c&d=e%3Df+g", "http://h/?a=%C3%A9&é=1&b=%FF", "http://h/p", "http://h/p?", "http://h/p?a", "mailto:a?b=c", "?a=1#a=2", "bad url?a=1", ""]
    suite.calls("url_extract_parameter({0}, {1})", [(quoted(text), quoted(name)) for text in some for name in ["a", "b", "", "d", "e", "A", "é", "%61"]])
    suite.values("url_extract_parameter('http://h?a=1', NULL)", "url_extract_parameter('http://h?a=1')")
    texts = ["", "a", "a b", "a+b", "a%20b", "%41", "%C3%A9", "%c3%a9", "%FF", "%C3x", "é", "😀", "a&b=c/d?e#f", "-_.*~!'()", "\n\t", "%", "%4", "%zz", "%4g", "a%", "%+1", "%-1", "% 1", "%0x", "%%41", "%41%", "%41%4", "%F0%9F%98%80", "%F0%9F", "http://h/p?q=1&r=ü", "+", "++"]
    suite.calls("url_encode({0})", [quoted(text) for text in texts])
    suite.calls("url_decode({0})", [quoted(text) for text in texts])
    suite.values("url_encode(NULL)", "url_decode(NULL)", "url_encode(1)", "url_decode(X'61')")
