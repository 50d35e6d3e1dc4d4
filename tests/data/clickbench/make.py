"""Makes `hits.parquet`, a synthetic table of ClickBench's 105 columns, and DuckDB's answers to its 43 queries in
`queries.json`: python3 make.py, with duckdb 2.0. `python3 make.py 1000000 FOLDER` makes as many rows in another folder, and no
answers, for `cargo xtask bench clickbench --tables FOLDER`.

Every value is drawn by a hash of the row's number and the column's, so a run gives the same file again. `queries.sql`
are the benchmark's queries; changed in them are limits and offsets that only 100 million rows reach, regular
expressions' `\\1` to `$1`, and ORDER BY, which has further keys wherever rows would tie.
"""

import pathlib
import re
import sys

import duckdb

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "answers"))
from make import write  # noqa: E402

FOLDER = pathlib.Path(__file__).parent
ROWS = 12_000
HOSTS = ["http://www.google.com", "https://maps.google.ru", "http://example.org", "https://www.пример.рф",
         "http://kinopoisk.test", "https://shop.example.net"]
WORDS = ["video", "погода", "купить", "google", "news", "Berlin", "日本", "film 2013", "карта", "smile 😀"]
# Columns of the benchmark in their order: type, and the expression of a value; `r(k)` draws for row i.
COLUMNS = """
WatchID bigint r/2 | JavaEnable smallint r%2 | Title varchar title | GoodEvent smallint 1 | EventTime time
| EventDate date | CounterID integer counter | ClientIP integer (r%900)*1000-400000 | RegionID integer r%60
| UserID bigint user | CounterClass smallint r%2 | OS smallint r%40 | UserAgent smallint r%50 | URL varchar url
| Referer varchar referer | IsRefresh smallint (r%7==0)::int | RefererCategoryID smallint r%20 | RefererRegionID integer r%30
| URLCategoryID smallint r%20 | URLRegionID integer r%30 | ResolutionWidth smallint [0,1024,1280,1366,1440,1600,1920][r%7+1]
| ResolutionHeight smallint [0,600,768,800,900,1080][r%6+1] | ResolutionDepth smallint 24 | FlashMajor smallint r%12
| FlashMinor smallint r%10 | FlashMinor2 varchar text | NetMajor smallint r%4 | NetMinor smallint r%3
| UserAgentMajor smallint r%30 | UserAgentMinor varchar text | CookieEnable smallint 1 | JavascriptEnable smallint 1
| IsMobile smallint (r%5==0)::int | MobilePhone smallint r%9 | MobilePhoneModel varchar phone | Params varchar empty
| IPNetworkID integer r%500 | TraficSourceID smallint r%9-1 | SearchEngineID smallint engine | SearchPhrase varchar phrase
| AdvEngineID smallint CASE WHEN r%11==0 THEN r%25 ELSE 0 END | IsArtifical smallint 0
| WindowClientWidth smallint 300+(r%40)*30 | WindowClientHeight smallint 200+(r%30)*20 | ClientTimeZone smallint r%24
| ClientEventTime time | SilverlightVersion1 smallint r%5 | SilverlightVersion2 smallint r%3
| SilverlightVersion3 integer r%9 | SilverlightVersion4 smallint 0 | PageCharset varchar charset
| CodeVersion integer r%99 | IsLink smallint (r%4==0)::int | IsDownload smallint (r%15==0)::int
| IsNotBounce smallint r%2 | FUniqID bigint r%1000 | OriginalURL varchar empty | HID integer r%5000
| IsOldCounter smallint 0 | IsEvent smallint 0 | IsParameter smallint 0 | DontCountHits smallint (r%8==0)::int
| WithHash smallint 0 | HitColor varchar text | LocalEventTime time | Age smallint (r%6)*10 | Sex smallint r%3
| Income smallint r%5 | Interests smallint r%100 | Robotness smallint r%3 | RemoteIP integer r%9000
| WindowName integer -1 | OpenerName integer -1 | HistoryLength smallint r%12 | BrowserLanguage varchar lang
| BrowserCountry varchar lang | SocialNetwork varchar empty | SocialAction varchar empty | HTTPError smallint 0
| SendTiming integer r%300 | DNSTiming integer r%90 | ConnectTiming integer r%90 | ResponseStartTiming integer r%500
| ResponseEndTiming integer r%900 | FetchTiming integer r%900 | SocialSourceNetworkID smallint 0
| SocialSourcePage varchar empty | ParamPrice bigint 0 | ParamOrderID varchar empty | ParamCurrency varchar currency
| ParamCurrencyID smallint 0 | OpenstatServiceName varchar empty | OpenstatCampaignID varchar empty
| OpenstatAdID varchar empty | OpenstatSourceID varchar empty | UTMSource varchar empty | UTMMedium varchar empty
| UTMCampaign varchar empty | UTMContent varchar empty | UTMTerm varchar empty | FromTag varchar empty
| HasGCLID smallint 0 | RefererHash bigint refererhash | URLHash bigint urlhash | CLID integer 0
"""


def listed(values):
    return "[" + ", ".join(f"'{value}'" for value in values) + "]"


def expression(kind, shape, number):
    draw = f"r(i, {number})"
    page = f"{listed(HOSTS)}[r(i, 2) % 6 + 1] || '/' || {listed(WORDS)}[r(i, 3) % 10 + 1]"
    # What several columns agree on is drawn with one number.
    shapes = {
        "time": "TIMESTAMP '2013-07-01 00:00:00' + to_seconds(r(i, 1) % 2678400)",
        "date": "CAST(TIMESTAMP '2013-07-01 00:00:00' + to_seconds(r(i, 1) % 2678400) AS date)",
        "title": f"CASE WHEN {draw} % 9 = 0 THEN '' ELSE {listed(WORDS)}[{draw} % 10 + 1] || CASE WHEN {draw} % 6 = 0 THEN ' Google' ELSE ' page ' || {draw} % 40 END END",
        "counter": f"CASE WHEN {draw} % 3 = 0 THEN 62 ELSE {draw} % 30 END",
        "user": f"CASE WHEN {draw} % 2500 = 7 THEN 435090932899640449 ELSE ({draw} % 2000) * 3000000000000001 END",
        "url": f"CASE WHEN r(i, 4) % 13 = 0 THEN '' ELSE {page} || '?id=' || r(i, 4) % 20 END",
        "referer": f"CASE WHEN {draw} % 5 = 0 THEN '' ELSE {listed(HOSTS)}[{draw} % 6 + 1] || '/' || repeat('x', ({draw} % 40)::int) END",
        "phone": f"CASE WHEN {draw} % 4 = 0 THEN {listed(['iPhone 5', 'Galaxy', 'Nexus 4', 'Lumia', 'Xperia Z'])}[{draw} % 5 + 1] ELSE '' END",
        "phrase": f"CASE WHEN r(i, 5) % 3 = 0 THEN {listed(WORDS)}[{draw} % 10 + 1] || ' ' || {listed(WORDS)}[{draw} // 16 % 10 + 1] ELSE '' END",
        "engine": f"CASE WHEN r(i, 5) % 3 = 0 THEN {draw} % 5 + 1 ELSE 0 END",
        "text": f"{listed(['', '0', 'D', 'a.b', '17'])}[{draw} % 5 + 1]",
        "charset": f"{listed(['utf-8', 'windows-1251', ''])}[{draw} % 3 + 1]",
        "lang": f"{listed(['ru', 'en', 'de', ''])}[{draw} % 4 + 1]",
        "currency": f"{listed(['RUB', 'EUR'])}[{draw} % 2 + 1]",
        "empty": "''",
        "refererhash": f"CASE WHEN {draw} % 4 = 0 THEN 3594120000172545465 ELSE {draw} % 900 END",
        "urlhash": f"CASE WHEN {draw} % 3 = 0 THEN 2868770270353813622 ELSE {draw} % 900 END",
    }
    text = shapes[shape] if shape in shapes else re.sub(r"\br\b", draw, shape)
    sql_type = {"time": "timestamp", "date": "date"}.get(kind, kind)
    return f"CAST({text} AS {sql_type})"


def main():
    connection = duckdb.connect()
    connection.execute("CREATE MACRO r(i, k) AS (md5_number_lower(i || ',' || k) // 4)::bigint")
    columns = []
    for number, entry in enumerate(COLUMNS.replace("\n", " ").split("|"), start=10):
        name, kind, *shape = entry.split(None, 2)
        columns.append(f"{expression(kind, (shape or [kind])[0].strip(), number)} AS {name}")
    assert len(columns) == 105, len(columns)
    rows, folder = (int(sys.argv[1]), sys.argv[2]) if len(sys.argv) == 3 else (ROWS, FOLDER)
    connection.execute(f"CREATE TABLE hits AS SELECT {', '.join(columns)} FROM range({rows}) AS t(i)")
    if folder is not FOLDER:
        connection.execute(f"COPY hits TO '{folder}/hits.parquet'")
        return
    connection.execute(f"COPY hits TO '{FOLDER}/hits.parquet' (COMPRESSION zstd, COMPRESSION_LEVEL 19)")
    texts = [text for text in (FOLDER / "queries.sql").read_text().split("\n;\n") if text.strip()]
    write(connection, FOLDER / "queries.json", texts)


main()
